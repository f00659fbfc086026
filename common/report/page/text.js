'use strict';

/* What a page is made of. Whatever comes from a record enters as text, never as markup. */

function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
        made.setAttribute(key, value);
    made.append(...children.filter(child => child !== undefined && child !== ''));
    return made;
}

function paragraph(text, kind) {
    return element('p', kind ? {class: kind} : {}, text);
}

/* A table that scrolls by itself where it is too wide. A column of numbers has a name that begins
 * with
 * #, which is not shown; a row's first cell names it. */
function table(id, caption, columns, rows) {
    const kinds = columns.map(name => name.startsWith('#') ? {class: 'number'} : {});
    const cell = (text, k) => k ? element('td', kinds[k], String(text)) :
                                  element('th', {...kinds[k], scope: 'row'}, String(text));
    const head = columns.map(
        (name, k) => element('th', {...kinds[k], scope: 'col'}, name.replace(/^#/, '')));
    return element(
        'div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
        element(
            'table', {id}, element('caption', {}, caption),
            element('thead', {}, element('tr', {}, ...head)),
            element('tbody', {}, ...rows.map(row => element('tr', {}, ...row.map(cell))))));
}

function folded(summary, content) {
    return element('details', {}, element('summary', {}, summary), content);
}

/* Three digits, but never fewer than the integer has. */
function short(x) {
    if (x === '' || !Number.isFinite(Number(x)))
        return 'unknown';
    x = Number(x);
    const size = Math.abs(x);
    if (Number.isInteger(x) && size < 1e7 || size >= 100 && size < 1e7)
        return String(Math.round(x));
    if (size >= 1e7 || size < 0.001)
        return x.toExponential(1).replace('e+', 'e');
    return size >= 10 ? x.toFixed(1) :
        size >= 0.1   ? x.toFixed(2) :
                        String(Number(x.toPrecision(2)));
}

function percent(share) {
    const value = 100 * share;
    return (value >= 10 || value === 0 ? value.toFixed(0) : value.toPrecision(2)) + '%';
}

function times(ratio) {
    return short(ratio) + (Number(short(ratio)) === 1 ? ' time' : ' times');
}

/* 33.2e12 lanes/s as "33.2 · 10¹² lanes/s". */
function withUnit(value, unit) {
    const powers = [[1e12, '10¹²'], [1e9, '10⁹'], [1e6, '10⁶']];
    const found = powers.find(([power]) => value >= power);
    return found ? `${short(value / found[0])} · ${found[1]} ${unit}` : `${short(value)} ${unit}`;
}

function list(words) {
    return words.length < 2 ? words.join('') :
                              words.slice(0, -1).join(', ') + ' and ' + words[words.length - 1];
}

/* The limits by the names that the record gives them. */
const limitNames = {
    gpu_issue: 'issue slots',
    gpu_fma: 'the GPU’s multiply-adds (FMA)',
    gpu_mufu: 'the special function units (MUFU)',
    gpu_lds: 'loads of shared memory (LDS)',
    gpu_memory: 'the bandwidth of the GPU’s memory',
    rsqrt: 'the CPU’s square roots',
    fma: 'the CPU’s multiply-adds',
    copy: 'the bandwidth of the CPU’s memory',
    /* Words of a prediction that are no name of a record's. */
    issue: 'issue slots',
    mufu: 'the special function units (MUFU)',
    lds: 'loads of shared memory (LDS)',
    memory: 'the bandwidth of memory',
};

function limitName(name) {
    return limitNames[name] || name;
}

/* What stands behind the word of a verdict, exit-codes.md's. */
const verdictMarks = {
    busy: 'other processes were busy while it was timed',
    'gpu-busy': 'another process was on the GPU while it was timed',
    clock: 'the GPU’s clock moved while it was timed',
    expected: 'rejected, as the course expects of it',
};

function verdictText(verdict) {
    const [word, ...marks] = verdict.split(':');
    const said = marks.map(mark => verdictMarks[mark] || mark);
    return said.length ? `${word} (${said.join('; ')})` : word;
}

function isRejected(row) {
    return row.verdict.split(':')[0] !== 'accepted';
}

/* A dagger where the result is rejected, a star where something else may have moved the time. */
function star(row) {
    const timing = row.verdict.split(':').slice(1).some(mark => mark !== 'expected');
    return (isRejected(row) ? '†' : '') + (timing ? '*' : '');
}

/* What the stars and daggers of some rows mean; nothing where they have none. */
function starNote(rows) {
    const notes = new Set();
    for (const row of rows) {
        const [word, ...marks] = row.verdict.split(':');
        if (word !== 'accepted')
            notes.add(`† rejected (${word})${
                marks.includes('expected') ? ', as the course expects' : ''}.`);
        for (const mark of marks.filter(m => m !== 'expected'))
            notes.add(`* ${verdictMarks[mark] || mark}.`);
    }
    return [...notes].join(' ');
}

/* A name that may be broken behind its underscores. */
function breakable(name) {
    return name.split('_').flatMap((part, k) => k ? ['_', element('wbr'), part] : [part]);
}
