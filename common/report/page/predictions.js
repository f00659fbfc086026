/* What was predicted beside what was measured. */

/* The predicted ratio of a CUDA step to the one before it at size n: the solutions' instructions
 * there over those here; undefined where one of them was not counted. */
function ratioOfSlots(record, name, n) {
    const [here, there] = [name, buildsOn(record, name)].map(of => {
        const step = record.steps.find(s => s.name === of);
        const row = step && step.solution.get(n);
        return row && row.backend === 'cuda' ? slotsOf(record, row) : undefined;
    });
    return here && there ? there.count / here.count : undefined;
}

/* The row that a prediction is held against, at its largest size: the learner's, else the
 * solution's, and one with a speed-up before one without. */
function comparedRow(step) {
    for (const has of [row => row.speedup_previous > 0, () => true])
        for (const source of ['student', 'solution']) {
            const rows = [...step[source].values()].filter(has);
            if (rows.length)
                return rows.reduce((a, b) => Number(b.n) > Number(a.n) ? b : a);
        }
    return undefined;
}

/* {name, row, measured, slots, yours, guess}; of them undefined what there is not. Yours is the
 * last prediction, but one that came late replaces none that was made before; of the first step it
 * is the limit alone. */
function compared(record) {
    const names = new Set([...record.steps, ...record.predictions.map(line => ({name: line.step}))]
                              .map(({name}) => name));
    const above0 = value => value > 0 ? Number(value) : undefined;
    return [...names].sort().map(name => {
        const step = record.steps.find(s => s.name === name);
        const row = step && comparedRow(step);
        const made = record.predictions.filter(line => line.step === name);
        const before = made.filter(line => line.when === 'before');
        const yours = (before.length ? before : made).pop();
        return {
            name,
            row,
            measured: row && above0(row.speedup_previous),
            slots: row && ratioOfSlots(record, name, Number(row.n)),
            yours,
            guess: yours && above0(yours.speedup),
        };
    }).filter(({measured, yours}) => measured || yours);
}

/* Told apart without colour, too. */
const measuredShapes = {solution: 'diamond', student: 'square'};

function drawPredictions(entries, picture, width) {
    const values = entries.flatMap(({measured, slots, guess}) => [measured, slots, guess])
                       .filter(Boolean);
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
    entries.forEach(({name, row, measured, slots, guess}, k) => {
        const top = k * rowHeight, y = top + 31;
        const texts = [
            guess ? `yours ${short(guess)}` : '',
            slots && width > 480 ? `by slots ${slots.toFixed(2)}` : '',
            measured ? `measured ${short(measured)}${star(row)}` : 'not measured',
        ];
        picture.append(label(0, top + 16, name, 'strong'));
        picture.append(label(width, top + 16, texts.filter(Boolean).join(', '), '', 'end'));
        picture.append(line(8, y, width - 12, y, 'grid'));
        if (measured && guess)
            picture.append(line(x(guess), y, x(measured), y, 'join'));
        if (measured)
            picture.append(mark(x(measured), y, measuredShapes[row.source], row.source + ' full'));
        if (slots)
            picture.append(mark(x(slots), y, 'circle', 'counted'));
        if (guess)
            picture.append(mark(x(guess), y, 'triangle', 'student'));
    });
    return bottom + 42;
}

function predictionsTable(record, entries) {
    const some = record.predictions.length > 0;
    const columns = ['step', '#by slots', '#measured', 'whose', '#n', 'measured limit', '#share'];
    const ofYours = ['#your speed-up', 'your limit', 'made', 'at'];
    return table(
        'predictions-table', 'Predicted and measured', some ? [...columns, ...ofYours] : columns,
        entries.map(({name, row, slots, yours}) => {
            const whose = row && row.source === 'student' ? 'yours' : 'solution';
            const cells = [name, slots ? slots.toFixed(3) : ''];
            cells.push(...(row ? [row.speedup_previous, whose, row.n, limitName(row.limit_name),
                                  row.limit_share] : ['', '', '', '', '']));
            if (some)
                cells.push(...(yours ? [yours.speedup, limitName(yours.limit), yours.when,
                                        yours.time_utc] : ['', '', '', '']));
            return cells;
        }));
}

function predictionsKey(record, entries) {
    const kinds = [[mark(0, 0, measuredShapes.solution, 'solution full'), 'measured, solution']];
    if (entries.some(({row}) => row && row.source === 'student'))
        kinds.push([mark(0, 0, measuredShapes.student, 'student full'), 'measured, yours']);
    if (entries.some(({slots}) => slots))
        kinds.push(
            [mark(0, 0, 'circle', 'counted'), 'by slots: predicted from instructions alone']);
    if (entries.some(({guess}) => guess))
        kinds.push([mark(0, 0, 'triangle', 'student'), 'your prediction']);
    return key(kinds);
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
    const drawn = entries.filter(({measured, guess}) => measured || guess);
    const said = drawn.map(({name, measured, slots, guess}) => `${name}: ` +
        (guess ? `you predicted ${short(guess)}, ` : '') +
        (slots ? `by slots ${short(slots)}, ` : '') +
        (measured ? `measured ${short(measured)}` : 'not measured'));
    return [
        paragraph(
            'How many times as fast a step is as the one it builds on. Where a prediction from ' +
            'instructions alone misses, something else than instructions changed.' +
            (record.predictions.length ? '' : ' ' + none)),
        !drawn.length ? predictionsTable(record, entries) : figure(
            'Predicted and measured speed-up, at the largest size measured, on a logarithmic axis',
            chart(
                `Speed-up over the step before, predicted and measured. ${said.join('; ')}.`,
                (picture, width) => drawPredictions(drawn, picture, width)),
            {
                key: predictionsKey(record, drawn),
                note: starNote(drawn.flatMap(({row}) => row ? [row] : [])),
                table: predictionsTable(record, entries),
            }),
    ];
}
