/* The roofline by issue slots: the fewer instructions an interaction needs, the more interactions a
 * second the GPU can issue. */

/* The points: a step's default variant at the ladder's largest size. */
function rooflinePoints(record) {
    return record.steps.flatMap(step => sources.flatMap(([source, whose]) => {
        const row = largest(step[source], record.sizes);
        const slots = row && row.backend === 'cuda' ? slotsOf(record, row) : undefined;
        return slots ? [{step: step.name, source, whose, row, slots, rate: Number(row.rate_gps)}] :
                       [];
    }));
}

/* The last measured value of a ceiling. */
function ceilingOf(record, resource) {
    const found = record.facts.filter(f => f.name === 'ceiling_' + resource);
    return found.length ? Number(found[found.length - 1].value) : 0;
}

/* Limits that do not depend on the slots: what the units give at the last step's need of them.
 * {rate, text}, those that fall together as one. */
function rooflineLevels(record, points) {
    const last = points[points.length - 1].row;
    const needs = [
        ['gpu_mufu', 'ncu_mufu', 'MUFU'],
        ['gpu_fma', 'ncu_fma', 'FMA'],
        ['gpu_lds', 'ncu_shared_wavefronts', 'LDS'],
    ];
    const levels = [];
    for (const [resource, name, words] of needs) {
        const need = Number(fact(record, last.step, last.variant, name));
        const rate = need > 0.1 ? ceilingOf(record, resource) / need / 1e9 : 0;
        if (!rate)
            continue;
        const same = levels.find(level => Math.abs(level.rate / rate - 1) < 0.02);
        const text = `${words}, ${Number(need.toFixed(1))}`;
        if (same)
            same.text += ', ' + text;
        else
            levels.push({rate, text});
    }
    return levels;
}

/* Round numbers on a logarithmic axis that lie in its range. */
function ticksBetween(low, high) {
    return [1, 10, 100, 1000, 10000]
        .flatMap(power => [1, 2, 3, 4, 5, 7].map(k => k * power))
        .filter(tick => tick >= low && tick <= high);
}

function drawRoofline(record, points, levels, picture, width) {
    const issue = ceilingOf(record, 'gpu_issue') / 1e9;
    const left = 44, right = width - 8, top = 24, bottom = 360;
    const slots = points.map(p => p.slots.count), rates = points.map(p => p.rate);
    const few = Math.min(...slots) / 1.6, many = Math.max(...slots) * 1.2;
    const low = Math.min(...rates) / 1.5;
    const high = 1.15 * Math.max(issue / Math.min(...slots), ...levels.map(level => level.rate));
    const x = logarithmic(few, many, left, right), y = logarithmic(low, high, bottom, top);
    for (const tick of ticksBetween(low, high)) {
        picture.append(line(left, y(tick), right, y(tick), 'grid'));
        picture.append(label(left - 6, y(tick) + 4, String(tick), 'muted', 'end'));
    }
    for (const tick of ticksBetween(few, many)) {
        picture.append(line(x(tick), bottom, x(tick), bottom + 4, 'axis'));
        picture.append(label(x(tick), bottom + 17, String(tick), 'muted', 'middle'));
    }
    picture.append(line(left, bottom, right, bottom, 'axis'));
    picture.append(label(
        (left + right) / 2, bottom + 36, 'issue slots (instructions) an interaction', 'muted',
        'middle'));
    picture.append(label(0, 10, 'G/s', 'muted'));
    for (const level of levels)
        picture.append(line(left, y(level.rate), right, y(level.rate), 'level'));
    for (const item of spread(
             levels.map(level => ({...level, y: y(level.rate) - 5})), 15, top, bottom))
        picture.append(label(
            right, item.y, `${item.text} an interaction: ${short(item.rate)}`, 'muted', 'end'));
    const first = Math.max(few, issue / high), last = Math.min(many, issue / low);
    picture.append(line(x(first), y(issue / first), x(last), y(issue / last), 'ceiling'));
    const middle = Math.sqrt(first * last);
    picture.append(label(x(middle) + 8, y(issue / middle) - 4, 'limit by issue slots', 'strong'));
    drawPoints(picture, points, x, y, {left, top, bottom});
    return bottom + 44;
}

/* Points and the numbers of their steps, those of a crowd in a column at its left, away from the
 * limit. */
function drawPoints(picture, points, x, y, area) {
    const crowds = [];
    for (const step of [...new Set(points.map(point => point.step))]) {
        const own = points.filter(point => point.step === step);
        const places = own.map(point => ({x: x(point.slots.count), y: y(point.rate)}));
        const text = step.slice(0, 2) +
            own.map(({source,
                      row}) => (source === 'student' && star(row) ? ' yours' : '') + star(row))
                .join('');
        crowds.push([{
            text,
            places,
            x: Math.min(...places.map(place => place.x)),
            y: places.reduce((sum, place) => sum + place.y, 0) / places.length
        }]);
    }
    crowds.sort((a, b) => a[0].x - b[0].x);
    for (let k = 1; k < crowds.length; k++)
        if (crowds[k][0].x - crowds[k - 1][crowds[k - 1].length - 1].x < 70) {
            crowds[k - 1].push(...crowds.splice(k, 1)[0]);
            k--;
        }
    for (const crowd of crowds) {
        const column = Math.max(Math.min(...crowd.map(entry => entry.x)) - 28, area.left + 20);
        for (const entry of spread(crowd, 15, area.top + 10, area.bottom - 8)) {
            for (const place of entry.places)
                picture.append(line(place.x, place.y, column + 3, entry.y, 'leader'));
            picture.append(label(column, entry.y + 4, entry.text, 'strong', 'end'));
        }
    }
    for (const {slots, rate, source} of points)
        picture.append(mark(
            x(slots.count), y(rate), source === 'student' ? 'triangle' : 'circle',
            source + ' full'));
}

function rooflineTable(record, points) {
    const issue = ceilingOf(record, 'gpu_issue') / 1e9;
    return table(
        'roofline-table',
        'Issue slots an interaction as counted, and the share of the ceiling that a step uses; ' +
            'the ladder’s limits are of static counts',
        [
            'step',
            'variant',
            'whose',
            '#slots',
            'counted',
            '#G/s',
            '#ceiling ÷ slots, G/s',
            '#share',
            '#MUFU',
            '#FMA',
            '#LDS wavefronts',
            '#registers a thread',
        ],
        points.map(({step, whose, row, slots, rate}) => {
            const counted = name =>
                row.source === 'solution' ? fact(record, step, row.variant, name) : '';
            return [
                step, row.variant, whose, Number(slots.count.toPrecision(6)), slots.how,
                row.rate_gps, short(issue / slots.count), percent(rate * slots.count / issue),
                counted('ncu_mufu'), counted('ncu_fma'), counted('ncu_shared_wavefronts'),
                counted('ncu_registers')
            ];
        }));
}

function rooflineSection(record) {
    const points = rooflinePoints(record);
    if (!points.length || !ceilingOf(record, 'gpu_issue'))
        return [
            paragraph(
                'Not in this record: it takes the rates of CUDA steps on a GPU and the GPU’s ' +
                'measured ceiling of issue slots. On a machine with a GPU and nvcc, “make bench” writes both.')
        ];
    const levels = rooflineLevels(record, points);
    const n = points[0].row.n;
    const said = points.map(
        p => `${p.step}${p.source === 'student' ? ', yours,' : ''} ` +
            `${short(p.slots.count)} slots, ${short(p.rate)} G/s`);
    const entries =
        [[mark(0, 0, 'circle', 'solution full'), 'solution, with the number of its step']];
    if (points.some(p => p.source === 'student'))
        entries.push([mark(0, 0, 'triangle', 'student full'), 'yours']);
    entries.push([
        line(-10, 0, 10, 0, 'ceiling'),
        `what the GPU issues, ${
            short(ceilingOf(record, 'gpu_issue') / 1e9)} · 10⁹ a second, ÷ slots`
    ]);
    if (levels.length)
        entries.push([
            line(-10, 0, 10, 0, 'level'),
            `limits of other units, for what ${points[points.length - 1].step} needs of them`
        ]);
    const notes = [starNote(points.map(p => p.row))];
    if (points.some(p => p.source === 'student'))
        notes.push('Your points stand at the solution’s number of slots; yours may differ.');
    return [
        paragraph(
            'An instruction takes an issue slot. The GPU issues so many a second and no more: a ' +
            'step that needs fewer for an interaction moves to the left, under a higher limit. The ' +
            'distance to the line is what waiting and copying cost.'),
        figure(
            `Rate over issue slots an interaction, n = ${n}, both axes logarithmic`,
            chart(
                `Rate over issue slots an interaction, under the limit of issue slots. ${
                    said.join('; ')}.`,
                (picture, width) => drawRoofline(record, points, levels, picture, width)),
            {key: key(entries), note: notes.join(' '), table: rooflineTable(record, points)}),
    ];
}
