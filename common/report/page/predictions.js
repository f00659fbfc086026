/* What was predicted beside what was measured. */

/* The predicted ratio of a CUDA step to the one before it: instructions there over those here, or
 * nothing where one of them was not counted. */
function ratioOfSlots(record, row) {
    const before = record.steps.find(step => step.name === buildsOn(record, row.step));
    const rowBefore = before && before.solution.get(Number(row.n));
    const here = slotsOf(record, row), there = rowBefore && slotsOf(record, rowBefore);
    return row.backend === 'cuda' && here && there ? there.count / here.count : undefined;
}

/* A row that has a speed-up, at the ladder's largest size that has one: the learner's, else the
 * solution's. */
function rowWithSpeedup(record, step) {
    for (const source of ['student', 'solution']) {
        const sizes = new Map([...step[source]].filter(([, row]) => row.speedup_previous > 0));
        const row = largest(sizes, [...sizes.keys()].sort((a, b) => a - b));
        if (row)
            return row;
    }
    return undefined;
}

/* {step, row, slots, yours} for every step that builds on another; yours is the last prediction,
 * but one that came late replaces none that was made before. */
function compared(record) {
    const names = [
        ...new Set(
            [...record.steps.map(step => step.name), ...record.predictions.map(line => line.step)])
    ].sort();
    return names.filter(name => buildsOn(record, name))
        .map(name => {
            const step = record.steps.find(s => s.name === name);
            const row = step && rowWithSpeedup(record, step);
            const made = record.predictions.filter(line => line.step === name);
            const before = made.filter(line => line.when === 'before');
            return {
                name,
                row,
                slots: row && ratioOfSlots(record, row),
                yours: (before.length ? before : made).pop()
            };
        })
        .filter(entry => entry.row || entry.yours);
}

/* Told apart without colour, too. */
const measuredShapes = {
    solution: 'diamond',
    student: 'square'
};

function drawPredictions(entries, picture, width) {
    const values =
        entries
            .flatMap(({row,
                       slots,
                       yours}) => [row && row.speedup_previous, slots, yours && yours.speedup])
            .map(Number)
            .filter(v => v > 0);
    const low = Math.min(0.5, ...values), high = Math.max(4, ...values) * 1.05;
    const x = logarithmic(low, high, 8, width - 12);
    const rowHeight = 44, bottom = entries.length * rowHeight + 6;
    let end = -Infinity;
    for (const tick of [0.1, 0.2, 0.5, 1, 2, 4, 10, 20, 50, 100, 200, 500, 1000])
        if (tick >= low && tick <= high && x(tick) > end) {
            picture.append(line(x(tick), 0, x(tick), bottom, tick === 1 ? 'axis' : 'grid'));
            picture.append(label(x(tick), bottom + 16, String(tick), 'muted', 'middle'));
            end = x(tick) + 28;
        }
    picture.append(
        label(width / 2, bottom + 34, 'times as fast as the step it builds on', 'muted', 'middle'));
    entries.forEach(({name, row, slots, yours}, k) => {
        const top = k * rowHeight, y = top + 31;
        const texts = [];
        if (yours)
            texts.push(`yours ${short(yours.speedup)}`);
        if (slots && width > 480)
            texts.push(`by slots ${slots.toFixed(2)}`);
        texts.push(row ? `measured ${short(row.speedup_previous)}${star(row)}` : 'not measured');
        picture.append(label(0, top + 16, name, 'strong'));
        picture.append(label(width, top + 16, texts.join(', '), '', 'end'));
        picture.append(line(8, y, width - 12, y, 'grid'));
        if (row && yours)
            picture.append(line(x(yours.speedup), y, x(row.speedup_previous), y, 'join'));
        if (row)
            picture.append(
                mark(x(row.speedup_previous), y, measuredShapes[row.source], `${row.source} full`));
        if (slots)
            picture.append(mark(x(slots), y, 'circle', 'counted'));
        if (yours)
            picture.append(mark(x(yours.speedup), y, 'triangle', 'student'));
    });
    return bottom + 42;
}

function predictionsTable(record, entries) {
    const measured = entries.map(
        ({name, row, slots}) =>
            [name, slots ? slots.toFixed(3) : '',
             ...(row ?
                     [
                         row.speedup_previous, row.source === 'student' ? 'yours' : 'solution',
                         row.n, limitName(row.limit_name), row.limit_share
                     ] :
                     ['', '', '', '', ''])]);
    const predicted = entries.map(
        ({yours}) => yours ?
            [
                yours.speedup, limitName(yours.limit), yours.when === 'before' ? 'before' : 'late',
                yours.time_utc
            ] :
            ['', '', '', '']);
    const columns = ['step', '#by slots', '#measured', 'whose', '#n', 'measured limit', '#share'];
    const ofYours = ['#your speed-up', 'your limit', 'made', 'at'];
    const some = record.predictions.length > 0;
    return table(
        'predictions-table', 'Predicted and measured', some ? [...columns, ...ofYours] : columns,
        measured.map((row, k) => some ? [...row, ...predicted[k]] : row));
}

function predictionsSection(record) {
    const entries = compared(record);
    const none =
        'None of yours is recorded: “make predict STEP=06” asks for one, and it counts as made ' +
        'before only until the step has been timed.';
    if (!entries.length)
        return [paragraph(
            'Nothing to compare in this record: no step was timed beside the one it builds on. ' +
            none)];
    const kinds = [[mark(0, 0, measuredShapes.solution, 'solution full'), 'measured, solution']];
    if (entries.some(({row}) => row && row.source === 'student'))
        kinds.push([mark(0, 0, measuredShapes.student, 'student full'), 'measured, yours']);
    if (entries.some(({slots}) => slots))
        kinds.push(
            [mark(0, 0, 'circle', 'counted'), 'by slots: predicted from instructions alone']);
    if (record.predictions.length)
        kinds.push([mark(0, 0, 'triangle', 'student'), 'your prediction']);
    const said = entries.map(
        ({name, row, slots, yours}) => `${name}: ` +
            (yours ? `you predicted ${short(yours.speedup)}, ` : '') +
            (slots ? `by slots ${short(slots)}, ` : '') +
            (row ? `measured ${short(row.speedup_previous)}` : 'not measured'));
    return [
        paragraph(
            'How many times as fast a step is as the one it builds on. Where a prediction from ' +
            'instructions alone misses, something else than instructions changed.' +
            (record.predictions.length ? '' : ' ' + none)),
        figure(
            'Predicted and measured speed-up, at the largest size measured, on a logarithmic axis',
            chart(
                `Speed-up over the step before, predicted and measured. ${said.join('; ')}.`,
                (picture, width) => drawPredictions(entries, picture, width)),
            {
                key: key(kinds),
                note: starNote(entries.flatMap(({row}) => row ? [row] : [])),
                table: predictionsTable(record, entries)
            }),
    ];
}
