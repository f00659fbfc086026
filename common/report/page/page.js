/* Puts the page together. The sections on words and on the files stand in page.html. */

const sections = [
    ['ladder', 'The ladder', ladderSection],
    ['steps', 'Step by step', stepsSection],
    ['roofline', 'Roofline by issue slots', rooflineSection],
    ['predictions', 'Predicted and measured', predictionsSection],
    ['ideas', 'Leave one out', ideasSection],
    ['sizes', 'Rate over n', sizesSection],
    ['decimals', 'First wrong decimals', decimalsSection],
    ['memory', 'Memory', memorySection],
    ['machine', 'The machine', machineSection],
];

/* From where to where the ladder leads, and the fastest accepted program of all. */
function summary(record) {
    if (!record.rows.length)
        return 'This record has no rows of N-body.';
    const timed = record.rows.filter(
        row => isTimed(row) && !row.variant.startsWith('without_') &&
            record.sizes.includes(Number(row.n)) && row.verdict.startsWith('accepted'));
    if (!timed.length)
        return 'This record has verdicts and no rates: nothing was timed.';
    const best = timed.reduce((a, b) => Number(b.rate_gps) > Number(a.rate_gps) ? b : a);
    const whose = best.source === 'student' ? 'yours' : 'the solution';
    return `Fastest accepted program: ${best.step}, variant ${best.variant} (${whose}), ` +
        `${short(best.rate_gps)} G/s at n = ${best.n}` +
        (best.speedup_serial > 0 && buildsOn(record, best.step) ?
             `, ${times(best.speedup_serial)} as fast as ${rootOf(record, best.step)} in the same run` :
             '') +
        (best.limit_share > 0 ? ` and ${percent(best.limit_share)} of its measured limit` : '') +
        '.';
}

function build(record) {
    const last = record.all[record.all.length - 1];
    const heading = `N-body on ${record.machine}`;
    document.title = heading;
    document.getElementById('title').textContent = heading;
    document.getElementById('subtitle').textContent = [
        different(record.all, 'cpu').join(', '),
        different(record.all, 'gpu').join(', ') || 'no GPU',
        `measured until ${last.time_utc.replace('T', ' ').replace(/:\d\dZ$/, ' UTC')}`
    ].join(' · ');
    document.getElementById('summary').append(paragraph(summary(record)));
    document.getElementById('main').prepend(...sections.map(
        ([id, name, content]) => element(
            'section', {id, 'aria-labelledby': id + '-heading'},
            element('h2', {id: id + '-heading'}, name), ...content(record).filter(Boolean))));
    const links = [...document.querySelectorAll('section')].map(
        ({id}) => element(
            'li', {},
            element('a', {href: '#' + id}, document.getElementById(id + '-heading').textContent)));
    document.getElementById('contents').append(element('ul', {}, ...links));
}

build(readRecord());
drawAll();
window.addEventListener('resize', drawAll);
