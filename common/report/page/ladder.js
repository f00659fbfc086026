/* The ladder: the rate of every step at up to three sizes, a row a step. */

const sources = [['solution', 'solution'], ['student', 'yours']];

/* The rows that the ladder shows, each with whose it is. */
function ladderRows(record) {
    return record.steps.flatMap(
        step => sources.flatMap(
            ([source, whose]) => record.sizes.filter(n => step[source].has(n))
                                     .map(n => ({step, whose, row: step[source].get(n)}))));
}

/* The ladder's steps: the record's, and those of the catalogue that another machine has. */
function ladderSteps(record) {
    const absent = record.catalogue.filter(
        line => !record.steps.some(step => step.name === line.step) &&
            elsewhere(record, line.step).length);
    return [
        ...record.steps,
        ...absent.map(
            line => ({name: line.step, solution: new Map(), student: new Map(), absent: true}))
    ].sort((a, b) => a.name < b.name ? -1 : 1);
}

/* The lowest and the highest of what a ladder's axis has to hold. */
function ladderRange(record, rows) {
    const values = rows.flatMap(({row}) => [row.rate_gps, row.limit_gps]);
    for (const step of ladderSteps(record))
        values.push(...elsewhere(record, step.name).map(found => found.row.rate_gps));
    const numbers = values.map(Number).filter(value => value > 0);
    return [Math.min(...numbers), Math.max(...numbers)];
}

/* What stands at the right of a step's name. */
function ladderText(record, step) {
    const own = largest(step.solution, record.sizes), yours = largest(step.student, record.sizes);
    if (!own && !yours)
        return step.absent ? 'not in this record' : 'no rate here';
    const texts = [];
    if (own)
        texts.push((yours ? 'solution ' : '') + short(own.rate_gps) + star(own));
    if (yours)
        texts.push('yours ' + short(yours.rate_gps) + star(yours));
    return texts.join(',  ') + ' G/s';
}

function drawOthers(picture, found, x, y) {
    const at = found.map(other => x(other.row.rate_gps));
    if (at.length > 1)
        picture.append(line(Math.min(...at), y, Math.max(...at), y, 'band'));
    for (const place of at)
        picture.append(
            svg('rect', {x: place - 2.5, y: y - 8, width: 5, height: 16, class: 'other'}));
}

function drawLadder(record, rows, picture, width) {
    const ticks = decades(...ladderRange(record, rows));
    const x = logarithmic(ticks[0], ticks[ticks.length - 1], 8, width - 12);
    const rowHeight = rows.some(({whose}) => whose === 'yours') ? 58 : 44;
    const steps = ladderSteps(record);
    const bottom = steps.length * rowHeight + 10;
    for (const tick of ticks) {
        picture.append(line(x(tick), 0, x(tick), bottom, 'grid'));
        picture.append(label(x(tick), bottom + 16, String(tick), 'muted', 'middle'));
    }
    picture.append(
        label(width / 2, bottom + 34, 'rate, 10⁹ interactions a second (G/s)', 'muted', 'middle'));
    steps.forEach((step, k) => {
        const top = k * rowHeight, y = top + 31;
        picture.append(label(0, top + 16, step.name, 'strong'));
        picture.append(label(
            width, top + 16, ladderText(record, step),
            step.solution.size || step.student.size ? '' : 'muted', 'end'));
        picture.append(line(8, y, width - 12, y, 'grid'));
        drawOthers(picture, elsewhere(record, step.name), x, y);
        for (const [source] of sources) {
            const there = record.sizes.filter(n => step[source].has(n));
            const place = y + (source === 'student' ? 15 : 0);
            const limit = largest(step[source], record.sizes);
            if (limit && limit.limit_gps > 0 && (source === 'solution' || !step.solution.size))
                picture.append(
                    line(x(limit.limit_gps), place - 8, x(limit.limit_gps), place + 8, 'limit'));
            for (const n of there) {
                const [shape, full] = sizeShape(record.sizes, n);
                picture.append(mark(x(step[source].get(n).rate_gps), place, shape, source + full));
            }
        }
    });
    return bottom + 42;
}

function ladderKey(record, rows) {
    const entries = record.sizes.map(n => {
        const [shape, full] = sizeShape(record.sizes, n);
        return [mark(0, 0, shape, 'solution' + full), `n = ${n}`];
    });
    if (rows.some(({whose}) => whose === 'yours'))
        entries.push([mark(0, 0, 'diamond', 'student full'), 'yours, below the solution']);
    if (rows.some(({row}) => row.limit_gps > 0))
        entries.push([line(0, -8, 0, 8, 'limit'), 'measured limit']);
    const machines = record.others.filter(other => other.sizes.length);
    if (machines.length)
        entries.push([
            svg('rect', {x: -2.5, y: -8, width: 5, height: 16, class: 'other'}),
            'recorded on ' +
                list(
                    machines.map(other => `${other.machine} (n = ${sizeElsewhere(record, other)})`))
        ]);
    return key(entries);
}

/* In words: every step's rate at the largest size. */
function ladderAlternative(record, rows) {
    const said = record.steps.map(step => {
        const row = largest(step.solution, record.sizes) || largest(step.student, record.sizes);
        return row ? `${step.name} ${short(row.rate_gps)} at n = ${row.n}` : `${step.name} no rate`;
    });
    return `Rate of every step in 10⁹ interactions a second, on a logarithmic axis. ${
        said.join('; ')}.`;
}

/* Seconds an iteration, as the record's two columns give them. */
function secondsAnIteration(row) {
    return (row.seconds_median / row.iterations).toPrecision(4);
}

function ladderTable(record, rows) {
    const columns = [
        'step', 'variant', 'whose', '#n', '#G/s', '#s an iteration', '#limit, G/s', 'limited by',
        '#share of limit', '#× step before', '#× serial', '#first wrong decimal', 'verdict', 'run',
        ...record.others.map(other => `#${other.machine}, G/s`)
    ];
    return table(
        'ladder-table', 'Rates by step and size; an empty cell was not measured', columns,
        rows.map(
            ({step, whose, row}) =>
                [step.name, row.variant, whose, row.n, row.rate_gps, secondsAnIteration(row),
                 row.limit_gps, row.limit_name && limitName(row.limit_name), row.limit_share,
                 row.speedup_previous, row.speedup_serial, row.first_wrong_decimal, row.verdict,
                 row.run, ...record.others.map(other => {
                     const found = other.steps.find(s => s.name === step.name);
                     const there = found && found.solution.get(Number(row.n));
                     return there ? there.rate_gps : '';
                 })]));
}

/* Steps without a rate, and what the check on the CPU said of them. */
function unratedTable(record) {
    const unrated = record.steps.filter(step => !step.solution.size && !step.student.size);
    const rows = unrated.flatMap(step => sources.flatMap(([source, whose]) => {
        const found = record.rows.filter(row => row.step === step.name && row.source === source);
        const variants = [...new Set(found.map(row => row.variant))];
        return variants.map(variant => {
            const row = found.filter(r => r.variant === variant).pop();
            return [
                step.name, variant, whose, row.backend, row.n, row.first_wrong_decimal,
                row.error_l2, verdictText(row.verdict)
            ];
        });
    }));
    return rows.length ? table(
                             'unrated-table', 'Steps without a rate: what their check said',
                             [
                                 'step', 'variant', 'whose', 'run by', '#n', '#first wrong decimal',
                                 '#error (L2)', 'verdict'
                             ],
                             rows) :
                         '';
}

/* That the rows are of several runs, which a reader has to know who divides one by another. */
function runsNote(rows) {
    const runs = [...new Set(rows.map(({row}) => row.run))];
    if (runs.length < 2)
        return '';
    if (runs.length > 2)
        return `The rows are of ${runs.length} runs, which the table names.`;
    const steps = runs.map(
        run => [...new Set(rows.filter(({row}) => row.run === run).map(({step}) => step.name))]);
    const [few, many] = steps[0].length <= steps[1].length ? [0, 1] : [1, 0];
    return `The rows are of two runs: ${list(steps[few])} of ${runs[few]}, the others of ${
        runs[many]}.`;
}

function ladderNotes(record, rows) {
    const notes = [];
    const unrated = record.steps.filter(step => !step.solution.size && !step.student.size);
    const played = unrated.filter(
        step => record.rows.every(row => row.step !== step.name || row.backend === 'cpucuda'));
    const untimed = unrated.filter(step => !played.includes(step));
    const haveNoRate = steps => `${list(steps.map(step => step.name))} ` +
        `${steps.length > 1 ? 'have' : 'has'} no rate here: `;
    if (played.length)
        notes.push(
            haveNoRate(played) + 'without a GPU, CUDA C is run on the CPU (cpucuda), which shows ' +
            'whether it is right and says nothing of its speed.');
    if (untimed.length)
        notes.push(haveNoRate(untimed) + 'nothing of theirs was timed by the referee’s clock.');
    const absent =
        record.catalogue.filter(line => !record.steps.some(step => step.name === line.step));
    if (absent.length)
        notes.push(
            `Not in this record: ${list(absent.map(line => line.step))}. ` +
            '“make run” adds what this machine can measure.');
    notes.push(runsNote(rows));
    notes.push(starNote(record.steps.flatMap(
        step => sources.map(([source]) => largest(step[source], record.sizes)).filter(Boolean))));
    return notes.filter(Boolean).join(' ');
}

function ladderSection(record) {
    const rows = ladderRows(record);
    const unrated = unratedTable(record);
    if (!rows.length)
        return [
            paragraph('No step of this record has a rate. ' + ladderNotes(record, rows)), unrated
        ];
    return [
        paragraph(
            'Each row is a step. Further right is faster, and a division of the axis is a factor ' +
            'of ten. The number is the rate at the largest size.'),
        figure(
            `Rate by step, default variants, n = ${list(record.sizes.map(String))}`,
            chart(
                ladderAlternative(record, rows),
                (picture, width) => drawLadder(record, rows, picture, width)),
            {
                key: ladderKey(record, rows),
                note: ladderNotes(record, rows),
                table: ladderTable(record, rows)
            }),
        unrated && folded('Checks of the steps without a rate', unrated),
    ];
}
