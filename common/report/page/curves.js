/* Leave one out, and the rate over the number of bodies. */

/* {step, n, all, ideas: [{name, row, kept}]} of the last run that has the variants, at the largest
 * size; the greatest loss first. */
function leaveOneOut(record) {
    const rows = record.rows.filter(row => row.variant.startsWith('without_') && isTimed(row));
    const run = rows.length ? rows[rows.length - 1].run : '';
    const n = Math.max(...rows.filter(row => row.run === run).map(row => Number(row.n)));
    const chosen = rows.filter(row => row.run === run && Number(row.n) === n);
    const all = chosen.find(row => row.variant === 'without_nothing');
    if (!all)
        return undefined;
    const ideas = chosen.filter(row => row !== all)
                      .map(row => ({
                               name: row.variant.slice('without_'.length),
                               row,
                               kept: row.rate_gps / all.rate_gps,
                           }))
                      .sort((a, b) => a.kept - b.kept);
    return {step: all.step, n, all, ideas};
}

function drawIdeas(ideas, picture, width) {
    const ticks = [0, 25, 50, 75, 100];
    const x = linear(0, 100 * Math.max(1, ...ideas.map(idea => idea.kept)), 0, width - 16);
    const rowHeight = 40, bottom = ideas.length * rowHeight + 6;
    for (const tick of ticks) {
        picture.append(line(x(tick), 0, x(tick), bottom, 'grid'));
        picture.append(label(x(tick), bottom + 16, tick + '%', 'muted', tick ? 'middle' : 'start'));
    }
    ideas.forEach((idea, k) => {
        const top = k * rowHeight;
        picture.append(label(0, top + 16, 'without ' + idea.name, 'strong'));
        picture.append(label(
            width, top + 16,
            `${(100 * idea.kept).toFixed(1)}%${star(idea.row)}, ${short(idea.row.rate_gps)} G/s`,
            '', 'end'));
        picture.append(
            svg('rect', {x: 0, y: top + 22, width: x(100 * idea.kept), height: 12, class: 'bar'}));
        picture.append(line(x(100), top + 19, x(100), top + 37, 'limit'));
    });
    picture.append(
        label(width / 2, bottom + 34, 'rate kept, % of that with all ideas', 'muted', 'middle'));
    return bottom + 42;
}

function ideasSection(record) {
    const found = leaveOneOut(record);
    if (!found)
        return [paragraph(
            'Not in this record: “make bench STEP=12 ABLATE=1” on a machine with a GPU ' +
            'times the last step without each of its ideas.')];
    const {step, n, all, ideas} = found;
    const said = ideas.map(idea => `without ${idea.name} ${(100 * idea.kept).toFixed(1)}%`);
    return [
        paragraph(
            `What an idea gives depends on what is there already. Here ${
                step} lacks one idea at a ` +
            'time, and nothing else changes; a bar beyond the line is an idea that costs more ' +
            'than it gives.'),
        figure(
            `${step} without one of its ideas, n = ${n}; with all of them ${
                short(all.rate_gps)} G/s`,
            chart(
                `Share of its rate that ${step} keeps without one idea. ${said.join('; ')}.`,
                (picture, width) => drawIdeas(ideas, picture, width)),
            {
                note: starNote(ideas.map(idea => idea.row)),
                table: table(
                    'ideas-table', 'Leave one out',
                    ['without', '#n', '#G/s', '#of the rate with all', 'verdict'],
                    [{name: 'nothing', row: all, kept: 1}, ...ideas].map(
                        idea =>
                            [idea.name, idea.row.n, idea.row.rate_gps,
                             (100 * idea.kept).toFixed(1) + '%', idea.row.verdict])),
            }),
    ];
}

/* The last step whose default variant was timed at more than three sizes: its rows by size, a curve
 * a source. */
function longestCurve(record) {
    const found =
        record.steps.filter(step => step.solution.size > 3 || step.student.size > 3).pop();
    return found && {
        name: found.name,
        curves: sources.filter(([source]) => found[source].size > 3)
                    .map(([source, whose]) => ({
                             source,
                             whose,
                             rows: [...found[source].values()].sort((a, b) => a.n - b.n),
                         })),
    };
}

/* Of the powers of two every one, every second or every fourth, as far as they have room. */
function readableSizes(counts, x) {
    const powers = [...new Set(counts)].filter(n => Math.log2(n) % 1 === 0).sort((a, b) => b - a);
    const room = powers.length > 1 ? x(powers[0]) - x(powers[1]) : Infinity;
    const stride = [1, 2, 4].find(k => k * room > textWidth(String(powers[0])) + 6) || 5;
    return powers.filter((n, k) => k % stride === 0);
}

function drawSizes(record, curve, picture, width) {
    const rows = curve.curves.flatMap(c => c.rows);
    const counts = rows.map(row => Number(row.n));
    const limits = rows.map(row => Number(row.limit_gps)).filter(limit => limit > 0);
    const left = 44, right = width - 24, top = 24, bottom = 310;
    const yTicks = roundTicks(Math.max(...rows.map(row => row.rate_gps), ...limits) * 1.05, 5);
    const x = logarithmic(Math.min(...counts), Math.max(...counts), left + 12, right);
    const y = linear(0, yTicks[yTicks.length - 1], bottom, top);
    for (const tick of yTicks) {
        picture.append(line(left, y(tick), right, y(tick), 'grid'));
        picture.append(label(left - 6, y(tick) + 4, String(tick), 'muted', 'end'));
    }
    picture.append(label(0, 10, 'G/s', 'muted'));
    picture.append(line(left, bottom, right, bottom, 'axis'));
    for (const n of readableSizes(counts, x)) {
        picture.append(line(x(n), bottom, x(n), bottom + 4, 'axis'));
        picture.append(label(x(n), bottom + 17, String(n), 'muted', 'middle'));
    }
    picture.append(label((left + right) / 2, bottom + 36, 'number of bodies n', 'muted', 'middle'));
    if (limits.length) {
        const limit = limits[limits.length - 1],
              row = rows.find(r => Number(r.limit_gps) === limit);
        picture.append(line(left, y(limit), right, y(limit), 'ceiling'));
        picture.append(label(
            left + 4, y(limit) - 6, `limit: ${limitName(row.limit_name)}, ${short(limit)}`, ''));
    }
    const taken = rows.map(row => ({x: x(row.n), y: y(row.rate_gps) + 4, width: 10}));
    for (const {source, rows: points} of curve.curves)
        drawCurve(picture, points, source, x, y);
    for (const {source, rows: points} of curve.curves)
        drawValues(picture, points, source, x, y, taken);
    return bottom + 44;
}

function drawCurve(picture, points, source, x, y) {
    const path = points.map(
        (row, k) => `${k ? 'L' : 'M'}${x(row.n).toFixed(1)} ${y(row.rate_gps).toFixed(1)}`);
    picture.append(svg('path', {d: path.join(''), class: 'curve ' + source}));
    for (const row of points)
        picture.append(mark(
            x(row.n), y(row.rate_gps), source === 'student' ? 'triangle' : 'circle',
            source + ' full'));
}

/* Values beside their points, from the last one back, where none of the places is taken; above at
 * the left if the curve does not dip there, else below. */
function drawValues(picture, points, source, x, y, taken) {
    for (const [k, row] of [...points.entries()].reverse()) {
        const text = short(row.rate_gps) + star(row), width = textWidth(text);
        const dips = k > 0 && Number(points[k - 1].rate_gps) > row.rate_gps;
        const place =
            [...(dips ? [] : [[-6 - width / 2, -8]]), [0, 20], [8 + width / 2, 16]]
                .map(([right, down]) => ({x: x(row.n) + right, y: y(row.rate_gps) + down, width}))
                .find(
                    ({x: atX, y: atY}) => atY < y(0) - 6 &&
                        !taken.some(
                            other => Math.abs(other.x - atX) < (width + other.width) / 2 &&
                                Math.abs(other.y - atY) < 13));
        if (!place)
            continue;
        taken.push(place);
        picture.append(label(place.x, place.y, text, source, 'middle'));
    }
}

function sizesSection(record) {
    const curve = longestCurve(record);
    if (!curve)
        return [paragraph(
            'Not in this record: the rate over n takes the last CUDA step at the powers of ' +
            'two from 1024 on, which “make bench” times on a machine with a GPU.')];
    const rows = curve.curves.flatMap(c => c.rows.map(row => ({whose: c.whose, row})));
    const others = record.others
                       .map(other => ({
                                machine: other.machine,
                                sizes: (other.steps.find(step => step.name === curve.name) || {
                                           solution: new Map()
                                       }).solution
                            }))
                       .filter(other => other.sizes.size);
    return [
        paragraph(
            'Few bodies do not fill a GPU: it then waits more than it computes, and launches and ' +
            'copies weigh more. The rate rises with n until the GPU is full.'),
        figure(
            `Rate of ${curve.name} over the number of bodies`,
            chart(
                `Rate of ${curve.name} over the number of bodies. ` +
                    rows.map(
                            ({whose, row}) => `${whose === 'yours' ? 'yours, ' : ''}n = ${row.n}: ${
                                short(row.rate_gps)} G/s`)
                        .join('; ') +
                    '.',
                (picture, width) => drawSizes(record, curve, picture, width)),
            {
                key: curve.curves.length > 1 ?
                    key(curve.curves.map(
                        c =>
                            [mark(
                                 0, 0, c.source === 'student' ? 'triangle' : 'circle',
                                 c.source + ' full'),
                             c.whose])) :
                    '',
                note: starNote(rows.map(({row}) => row)),
                table: table(
                    'sizes-table', `Rate of ${curve.name} over n`,
                    [
                        '#n', 'variant', 'whose', '#G/s', '#s an iteration', '#share of limit',
                        'verdict', ...others.map(other => `#${other.machine}, G/s`)
                    ],
                    rows.map(
                        ({whose, row}) =>
                            [row.n, row.variant, whose, row.rate_gps, secondsAnIteration(row),
                             row.limit_share, row.verdict,
                             ...others.map(
                                 other => other.sizes.has(Number(row.n)) ?
                                     other.sizes.get(Number(row.n)).rate_gps :
                                     '')])),
            }),
    ];
}
