/* Reads the record that stands in the page, and chooses which rows are shown. */

/* Lines of fields with their names in the first line, as objects. */
function parse(text, separator) {
    const lines = text.split('\n').filter(line => line !== '');
    const names = (lines.shift() || '').split(separator);
    return lines.map(line => {
        const fields = line.split(separator);
        return Object.fromEntries(
            names.map((name, k) => [name, fields[k] === undefined ? '' : fields[k]]));
    });
}

function readData(id, separator) {
    const found = document.getElementById(id);
    return found ? parse(found.textContent, separator) : [];
}

/* Rows of N-body, with masses or without, which the page is about; a record may hold others. */
function isOfNbody(row) {
    return row.problem.startsWith('nbody');
}

/* Rows whose rates can stand side by side: timed by the referee's clock. */
function isTimed(row) {
    return row.clock === 'referee' && row.problem === 'nbody' &&
        (row.backend === 'cpu' || row.backend === 'cuda') && row.seconds_median > 0 &&
        row.rate_gps > 0;
}

/* The default variant of a step, which a bench writes first: that of the run with most variants,
 * since a bench may have been of one VARIANT= alone. */
function defaultVariant(rows, step, source) {
    const runs = new Map();
    for (const row of rows)
        if (row.step === step && row.source === source && !row.variant.startsWith('without_'))
            runs.set(row.run, (runs.get(row.run) || new Set()).add(row.variant));
    let most = new Set();
    for (const variants of runs.values())
        most = variants.size > most.size ? variants : most;
    return [...most][0];
}

/* The rows of a step's default variant, with the threads and the distribution that its run used
 * first: the others are experiments. */
function defaultRows(rows, step, source) {
    let variant = defaultVariant(rows, step, 'solution');
    if (!rows.some(row => row.step === step && row.source === source && row.variant === variant))
        variant = defaultVariant(rows, step, source);
    const setups = new Map();
    return rows.filter(row => {
        if (row.step !== step || row.source !== source || row.variant !== variant || !isTimed(row))
            return false;
        const setup = row.threads + ' ' + row.distribution;
        if (!setups.has(row.run))
            setups.set(row.run, setup);
        return setups.get(row.run) === setup;
    });
}

/* By size, the row that counts: the last one, but one without errors, which is there for a
 * comparison only, replaces none that has them. */
function bySize(rows) {
    const sizes = new Map();
    for (const row of rows) {
        const before = sizes.get(Number(row.n));
        if (!before || row.error_p99 !== '' || before.error_p99 === '')
            sizes.set(Number(row.n), row);
    }
    return sizes;
}

/* The steps of some rows: {name, solution, student}, both rows by size. */
function chooseSteps(rows) {
    return [...new Set(rows.map(row => row.step))].sort().map(
        name => ({
            name,
            solution: bySize(defaultRows(rows, name, 'solution')),
            student: bySize(defaultRows(rows, name, 'student')),
            variant:
                defaultVariant(rows, name, 'solution') || defaultVariant(rows, name, 'student'),
        }));
}

/* The largest three sizes that several steps were timed at; of one step alone, its own. */
function ladderSizes(steps) {
    const counts = new Map();
    for (const step of steps)
        for (const n of new Set([...step.solution.keys(), ...step.student.keys()]))
            counts.set(n, (counts.get(n) || 0) + 1);
    const timed = steps.filter(step => step.solution.size || step.student.size).length;
    return [...counts.keys()]
        .filter(n => timed === 1 || counts.get(n) > 1)
        .sort((a, b) => a - b)
        .slice(-3);
}

function largest(sizes, allowed) {
    const there = allowed.filter(n => sizes.has(n));
    return there.length ? sizes.get(there[there.length - 1]) : undefined;
}

function readRecord() {
    const all = readData('record-csv', ','), rows = all.filter(isOfNbody);
    const facts = readData('facts-csv', ',');
    const catalogue = readData('steps-tsv', '\t');
    const others = catalogue.filter(line => !isOfNbody(line)).map(line => line.step);
    const record = {
        all,
        rows,
        facts,
        catalogue: catalogue.filter(isOfNbody),
        predictions:
            readData('predictions-tsv', '\t').filter(line => !others.includes(line.step)),
        machine: document.getElementById('record-csv').dataset.machine,
    };
    record.steps = chooseSteps(rows);
    record.sizes = ladderSizes(record.steps);
    record.others = [...document.querySelectorAll('pre[data-other]')].map(found => {
        const steps =
            chooseSteps(parse(found.textContent, ',').filter(row => row.source === 'solution'));
        return {machine: found.dataset.other, steps, sizes: ladderSizes(steps)};
    });
    return record;
}

/* The last value of a fact, as the record has it; '' where there is none. */
function fact(record, step, variant, name) {
    const found =
        record.facts.filter(f => f.step === step && f.variant === variant && f.name === name);
    return found.length ? found[found.length - 1].value : '';
}

function buildsOn(record, step) {
    const found = record.catalogue.find(line => line.step === step);
    return found && found.builds_on !== '-' ? found.builds_on : '';
}

/* Where the chain of steps begins that a step builds on: speedup_serial is over that one. */
function rootOf(record, step) {
    const before = buildsOn(record, step);
    return before ? rootOf(record, before) : step;
}

function titleOf(record, step) {
    const found = record.catalogue.find(line => line.step === step);
    return found ? found.title : '';
}

/* The size at which another machine stands beside this one: this ladder's largest, else its own. */
function sizeElsewhere(record, other) {
    const n = record.sizes[record.sizes.length - 1];
    return other.sizes.includes(n) ? n : other.sizes[other.sizes.length - 1];
}

/* What other machines have of a step: {machine, row} each. */
function elsewhere(record, name) {
    return record.others
        .map(other => {
            const step = other.steps.find(s => s.name === name);
            return {
                machine: other.machine,
                row: step && step.solution.get(sizeElsewhere(record, other))
            };
        })
        .filter(found => found.row);
}

/* Instructions an interaction and how they were counted: executed, else the static count that the
 * row's limit was made with. */
function slotsOf(record, row) {
    const executed =
        row.source === 'solution' ? fact(record, row.step, row.variant, 'ncu_slots') : '';
    if (executed !== '')
        return {count: Number(executed), how: 'executed (ncu)'};
    const ceiling =
        record.facts.filter(f => f.name === 'ceiling_gpu_issue' && f.run === row.run).pop() ||
        record.facts.filter(f => f.name === 'ceiling_gpu_issue').pop();
    if (!ceiling || row.limit_name !== 'gpu_issue' || !(row.limit_gps > 0))
        return undefined;
    return {count: ceiling.value / 1e9 / row.limit_gps, how: 'in the machine code (static)'};
}
