/* Charts as SVG, drawn for the width there is and drawn again when that changes. */

function svg(name, attributes, text) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes || {}))
        made.setAttribute(key, typeof value === 'number' ? Math.round(value * 100) / 100 : value);
    if (text !== undefined)
        made.textContent = text;
    return made;
}

function line(x1, y1, x2, y2, kind) {
    return svg('line', {x1, y1, x2, y2, class: kind});
}

function label(x, y, text, kind, anchor) {
    return svg('text', {x, y, class: kind || '', 'text-anchor': anchor || 'start'}, text);
}

/* About the width of a text in pixels; rather too much than too little. */
function textWidth(text) {
    return text.length * 7;
}

function linear(low, high, from, to) {
    return value => from + (value - low) / (high - low) * (to - from);
}

function logarithmic(low, high, from, to) {
    return value => from + Math.log(value / low) / Math.log(high / low) * (to - from);
}

/* Round numbers from 0 to at least `high`, about `count` of them. */
function roundTicks(high, count) {
    const raw = high / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map(k => k * power).find(s => s >= raw * 0.999);
    const ticks = [];
    for (let k = 0; ticks.length === 0 || ticks[ticks.length - 1] < high * 0.999; k++)
        ticks.push(k * step);
    return ticks;
}

/* Powers of ten from below `low` to above `high`. */
function decades(low, high) {
    const ticks = [];
    for (let k = Math.floor(Math.log10(low));
         k === Math.floor(Math.log10(low)) || 10 ** (k - 1) < high; k++)
        ticks.push(Number((10 ** k).toPrecision(1)));
    return ticks.length > 1 ? ticks : [ticks[0], ticks[0] * 10];
}

const shapes = {
    circle: 'M -5 0 A 5 5 0 1 0 5 0 A 5 5 0 1 0 -5 0 Z',
    square: 'M -4.5 -4.5 H 4.5 V 4.5 H -4.5 Z',
    diamond: 'M 0 -6.5 L 6.5 0 L 0 6.5 L -6.5 0 Z',
    triangle: 'M 0 -6 L 6 5 L -6 5 Z',
};

/* A point of a chart: `kind` is solution, student or counted, with `full` where it is filled. */
function mark(x, y, shape, kind) {
    return svg('path', {
        d: shapes[shape],
        class: 'mark ' + kind,
        transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`
    });
}

/* The three sizes, smallest first, by shape; fewer sizes take the last shapes. */
function sizeShape(sizes, n) {
    const all = [['circle', ''], ['square', ''], ['diamond', ' full']];
    return all[sizes.indexOf(n) + all.length - sizes.length];
}

/* A key in HTML, so that it wraps as text does: entries [node, text]. */
function key(entries) {
    return element('ul', {class: 'key'}, ...entries.map(([node, text]) => {
        const picture = svg('svg', {viewBox: '-10 -8 20 16', 'aria-hidden': 'true'});
        picture.append(node);
        return element('li', {}, picture, text);
    }));
}

const drawings = [];

function redraw(drawing) {
    const width = Math.max(drawing.holder.clientWidth, 120);
    if (width === drawing.width)
        return;
    drawing.width = width;
    const picture = svg('svg', {role: 'img', tabindex: 0, 'aria-label': drawing.alternative});
    const height = drawing.draw(picture, width);
    picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    drawing.holder.replaceChildren(picture);
}

/* A chart by draw(svg, width), which returns its height; `alternative` says in words what it shows.
 * It is drawn when the page stands, since only then its width is known. */
function chart(alternative, draw) {
    const holder = element('div', {class: 'chart'});
    drawings.push({holder, alternative, draw});
    return holder;
}

function drawAll() {
    drawings.forEach(redraw);
}

/* A chart with what belongs to it; any part but the first two may be left out. */
function figure(caption, picture, parts) {
    return element(
        'figure', {}, element('figcaption', {}, caption), parts.key || '', picture,
        parts.note ? paragraph(parts.note, 'note') : '',
        parts.table ? folded('The numbers of this chart', parts.table) : '');
}

/* Moves labels {y, ...} apart so that none is nearer than `gap` to the next, and all lie between
 * low and high; sorts them by height. The mean of pushing all down and pushing all up keeps both
 * the gaps and the middle of a crowd. */
function spread(labels, gap, low, high) {
    labels.sort((a, b) => a.y - b.y);
    const down = labels.map(item => item.y), up = labels.map(item => item.y);
    for (let k = 0; k < labels.length; k++)
        down[k] = Math.max(down[k], k ? down[k - 1] + gap : low);
    for (let k = labels.length - 1; k >= 0; k--)
        up[k] = Math.min(up[k], k + 1 < labels.length ? up[k + 1] - gap : high);
    labels.forEach((item, k) => item.y = (down[k] + up[k]) / 2);
    return labels;
}
