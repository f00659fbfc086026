/* Histograms of the first wrong decimal, a small one a step, all on the same axes. */

/* The rows with counts, default variants first and then the other variants of steps whose default
 * was rejected; of each the size nearest to the homework's 65536. */
function decimalRows(record) {
    const has = row => row.problem === 'nbody' && /^\d+(:\d+){9}$/.test(row.decimals);
    const chosen = [];
    for (const step of record.steps)
        for (const [source, whose] of sources) {
            const rows = record.rows.filter(
                row => row.step === step.name && row.source === source && has(row));
            for (const variant of new Set(rows.map(row => row.variant))) {
                const of = rows.filter(row => row.variant === variant);
                const row = of.filter(r => Number(r.n) === 65536).pop() ||
                    of.reduce((a, b) => Number(b.n) >= Number(a.n) ? b : a);
                const isDefault = variant === step.variant;
                if (isDefault || !row.verdict.startsWith('accepted'))
                    chosen.push({step: step.name, whose, row, variant, isDefault});
            }
        }
    return chosen;
}

/* Shares of the 3 n coordinates by first wrong decimal 1 to 9, and later or never. */
function decimalShares(row) {
    const counts = row.decimals.split(':').map(Number);
    const all = counts.reduce((sum, count) => sum + count, 0);
    return counts.map(count => count / all);
}

function wrongBySecond(row) {
    const shares = decimalShares(row);
    return shares[0] + shares[1];
}

/* `highest`: the share at full height. */
function drawDecimals(row, highest, picture, width) {
    const shares = decimalShares(row);
    const bottom = 90, barWidth = width / shares.length;
    const y = linear(0, highest, bottom, 16);
    const largestShare = Math.max(...shares);
    shares.forEach((share, k) => {
        const x = k * barWidth + 1;
        picture.append(svg('rect', {
            x,
            y: y(share),
            width: barWidth - 2,
            height: bottom - y(share),
            class: k < 2 ? 'bar wrong' : 'bar'
        }));
        picture.append(label(
            x + barWidth / 2 - 1, bottom + 14, k < 9 ? String(k + 1) : '–', 'muted', 'middle'));
        if (share === largestShare)
            picture.append(label(
                Math.min(Math.max(x + barWidth / 2 - 1, 14), width - 14), y(share) - 3,
                percent(share), '', 'middle'));
    });
    picture.append(line(0, bottom, width, bottom, 'axis'));
    return bottom + 18;
}

function smallHistogram({step, whose, row, variant, isDefault}, highest, usual) {
    const name = `${step}${isDefault ? '' : ' ' + variant}${whose === 'yours' ? ', yours' : ''}`;
    const expected = row.verdict.includes(':expected') ? ', as expected' : '';
    const shares = decimalShares(row);
    const said =
        shares
            .map(
                (share, k) => share ?
                    `${k < 9 ? 'decimal ' + (k + 1) : 'later or never'} ${percent(share)}` :
                    '')
            .filter(Boolean);
    return element(
        'div', {}, element('h3', {}, ...breakable(name)),
        paragraph(
            `${row.n === usual ? '' : `n = ${row.n}: `}${
                percent(wrongBySecond(row))} by the second: ` +
            (isRejected(row) ? `rejected${expected}` : 'accepted')),
        chart(
            `${name}: share of coordinates by first wrong decimal. ${said.join('; ')}.`,
            (picture, width) => drawDecimals(row, highest, picture, width)));
}

function decimalsSection(record) {
    const rows = decimalRows(record);
    if (!rows.length)
        return [paragraph('Not in this record: “make bench” counts them for every variant.')];
    const highest = Math.max(...rows.flatMap(({row}) => decimalShares(row)));
    const usual = rows.some(({row}) => row.n === '65536') ? '65536' : rows[0].row.n;
    return [
        paragraph(
            'Of every coordinate after two iterations: the first decimal at which it differs from ' +
            'the serial float32 program’s. The axis goes from the first decimal to the ninth; – is ' +
            'later or never. A variant is rejected if more than 1% are wrong by the second decimal, ' +
            `the two bars in the other colour. n = ${usual} where nothing else is said.`),
        element(
            'figure', {},
            element(
                'div', {class: 'multiples'},
                ...rows.map(entry => smallHistogram(entry, highest, usual))),
            folded(
                'The numbers of these charts',
                table(
                    'decimals-table', 'Coordinates by first wrong decimal',
                    [
                        'step', 'variant', 'whose', '#n',
                        ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(k => '#' + k), '#later or never',
                        'verdict'
                    ],
                    rows.map(
                        ({step, whose, row}) =>
                            [step, row.variant, whose, row.n, ...row.decimals.split(':'),
                             row.verdict])))),
    ];
}
