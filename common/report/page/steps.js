/* What each step changed, in sentences made from the record. */

/* "Global traffic fell 216 times against NN_name, to 0.056 B an interaction." */
function trafficSentence(record, step, before, name, what) {
    const here = traced(record, step, name), there = traced(record, before, name);
    if (here === '' || there === '' || Number(here) === Number(there))
        return '';
    const unit = 'B an interaction';
    if (Number(there) === 0)
        return `${what} is ${short(here)} ${unit}, where ${before} had none.`;
    if (Number(here) === 0)
        return `${what} is gone; ${before} had ${short(there)} ${unit}.`;
    const ratio = there / here;
    if (Math.abs(Math.log(ratio)) < Math.log(1.25))
        return '';
    return ratio > 1 ?
        `${what} fell ${times(ratio)} against ${before}, to ${short(here)} ${unit}.` :
        `${what} rose ${times(1 / ratio)} against ${before}, to ${short(here)} ${unit}.`;
}

function sectorsSentence(record, step, before) {
    const here = traced(record, step, 'trace_varied_sectors_per_request');
    const there = traced(record, before, 'trace_varied_sectors_per_request');
    if (here === '' || there === '' || Number(here) === Number(there))
        return '';
    return `Requests to global memory whose lanes differ take ${short(here)} sectors each, ` +
        `${short(there)} in ${before}.`;
}

function slotsSentence(record, row, rowBefore) {
    const here = slotsOf(record, row), there = rowBefore && slotsOf(record, rowBefore);
    if (!here || !there || here.how !== there.how || Math.abs(here.count / there.count - 1) < 0.02)
        return '';
    return `Instructions an interaction ${here.count < there.count ? 'fell' : 'rose'} from ` +
        `${short(there.count)} to ${short(here.count)}.`;
}

/* Against the row of the step before that was timed in the same run; says its rate where the ladder
 * shows another. */
function speedSentence(record, row, before, shown) {
    const rate = `${short(row.rate_gps)} G/s at n = ${row.n}` +
        (row.backend === 'cpu' && row.threads > 1 ? ` with ${row.threads} threads` : '');
    if (row.speedup_previous === '')
        return rate + '.';
    const same = record.rows.find(
        r => r.run === row.run && r.step === before && r.n === row.n && shown &&
            r.variant === shown.variant && isTimed(r));
    const other = same && Math.abs(same.rate_gps / shown.rate_gps - 1) > 0.05 ?
        `, which gave ${short(same.rate_gps)} G/s in the same run` :
        '';
    return `${rate}: ${times(row.speedup_previous)} as fast as ${before}${other}.`;
}

function limitSentence(row, rowBefore) {
    if (!(row.limit_gps > 0))
        return '';
    const same = rowBefore && rowBefore.limit_name === row.limit_name;
    const adverb = rowBefore ? (same ? 'still ' : 'now ') : '';
    return `The limit is ${adverb}${limitName(row.limit_name)}, of which it uses ${
        percent(row.limit_share)}.`;
}

function verdictSentence(row) {
    const [word, ...marks] = row.verdict.split(':');
    if (word === 'accepted')
        return '';
    return `Its results are rejected (${word})` +
        (marks.includes('expected') ? ', as the course expects.' : '.');
}

/* `memory`: sentences that stand between the rate and its limit. */
function rateSentences(record, step, row, before, memory) {
    const stepBefore = record.steps.find(s => s.name === before);
    const rowsBefore =
        stepBefore && (stepBefore.solution.size ? stepBefore.solution : stepBefore.student);
    const rowBefore =
        rowsBefore && (rowsBefore.get(Number(row.n)) || largest(rowsBefore, record.sizes));
    return [
        speedSentence(record, row, before, rowBefore), ...memory,
        slotsSentence(record, row, rowBefore), limitSentence(row, rowBefore), verdictSentence(row)
    ];
}

/* Of a step without a rate: what its check said, and where it was timed. */
function unratedSentences(record, step) {
    const row = record.rows.filter(r => r.step === step.name).pop();
    const how =
        row.backend === 'cpucuda' ? 'its kernels ran on the CPU, and its' : 'it was not timed; its';
    return [
        `No rate here: ${how} results were ${isRejected(row) ? 'rejected' : 'accepted'}` +
            (isRejected(row) ? ` (${row.verdict.split(':')[0]})` : '') +
            (row.verdict.includes(':expected') ? ', as the course expects.' : '.'),
        ...elsewhere(record, step.name)
            .map(
                ({machine, row: there}) =>
                    `Recorded on ${machine}: ${short(there.rate_gps)} G/s at n = ${there.n}.`)
    ];
}

/* A paragraph on the solution or on the step as such, and one on the learner's own. */
function sentences(record, step) {
    const before = buildsOn(record, step.name);
    const own = largest(step.solution, record.sizes), yours = largest(step.student, record.sizes);
    const memory = before ?
        [
            trafficSentence(
                record, step.name, before, 'trace_global_bytes_per_interaction', 'Global traffic'),
            trafficSentence(
                record, step.name, before, 'trace_shared_bytes_per_interaction',
                'Traffic of shared memory'),
            sectorsSentence(record, step.name, before)
        ] :
        [];
    const paragraphs =
        [own ? rateSentences(record, step, own, before, memory) :
               [...memory, ...(yours ? [] : unratedSentences(record, step))]];
    if (yours)
        paragraphs.push([
            'Yours:', ...rateSentences(record, step, yours, before, []),
            own && own.n === yours.n ?
                `That is ${percent(yours.rate_gps / own.rate_gps)} of the solution’s rate.` :
                ''
        ]);
    return paragraphs.map(said => said.filter(Boolean).join(' ')).filter(Boolean);
}

function stepsSection(record) {
    return [
        element(
            'ol', {class: 'steps'},
            ...record.steps.map(
                step => element(
                    'li', {id: 'step-' + step.name}, element('h3', {}, step.name),
                    titleOf(record, step.name) ? paragraph(titleOf(record, step.name), 'idea') : '',
                    ...sentences(record, step).map(text => paragraph(text))))),
        paragraph(
            'Speed-ups compare programs that were timed in one run. Rates and limits are of the ' +
                'default variant at the largest size of the ladder.',
            'note'),
    ];
}
