// Bars and cells of a chart of figure_svg.js, with the words in them.

// ----------------------------------------------------------------------------------------------- bars

// Of every trace of bars its boxes: ends along the bars' axis, and what they take across it.
function boxesOf(data, layout) {
  const found = new Map();
  const ground = new Map();
  const own = data.filter(({ type }) => type === "bar");
  for (const trace of own) {
    const flat = trace.orientation === "h";
    const [level, size] = [numbersOf(flat ? trace.y : trace.x), numbersOf(flat ? trace.x : trace.y)];
    const names = typeof level[0] === "string" ? [...new Set(own.flatMap((one) => numbersOf(flat ? one.y : one.x)))] : null;
    const middles = level.map((value) => (names ? names.indexOf(value) : Number(value)));
    const gap = Math.min(1 / 0, ...middles.slice(1).map((value, i) => Math.abs(value - middles[i])).filter(Boolean));
    const apart = Number.isFinite(gap) ? gap : 1;
    const wide = apart * (1 - (layout.bargap ?? 0.2));
    const piled = layout.barmode === "stack" || layout.barmode === "relative";
    found.set(trace, middles.map((middle, i) => {
      const value = Number(size[i] ?? NaN);
      const key = `${trace.xaxis} ${trace.yaxis} ${middle} ${layout.barmode === "relative" && value < 0}`;
      const base = each(trace.base, i) ?? ((piled && ground.get(key)) || 0);
      if (value) ground.set(key, base + value);
      const half = (each(trace.width, i) ?? wide) / 2;
      const room = Math.max(half, apart / 2);
      return { ends: [base + 0 * value, base + value], across: [middle - half, middle + half], room: [middle - room, middle + room] };
    }));
  }
  return found;
}

function barsOf(chart, trace, axes, bars) {
  const flat = trace.orientation === "h";
  const [level, upright] = flat ? [axes.y, axes.x] : [axes.x, axes.y];
  const marker = trace.marker ?? {};
  const drawn = bars.get(trace).map(({ ends, across }, i) => {
    const far = (end) => (upright.log && end <= 0 ? upright.at(upright.ends[0]) : upright.px(end));
    const [a, b] = ends.map(far).sort((one, two) => one - two);
    const [c, d] = across.map((line) => level.at(line)).sort((one, two) => one - two);
    const box = flat ? [a, c, b, d] : [c, a, d, b];
    if (!box.every(Number.isFinite)) return null;
    const [x, y] = [numbers(trace.x)[i], numbers(trace.y)[i]];
    if (trace.hoverinfo !== "skip" && ends[0] !== ends[1])
      chart.hits.push({ at: flat ? [b, (c + d) / 2] : [(c + d) / 2, a], box, i, trace, value: { x, y }, axes });
    const wide = each(marker.line?.width, i) ?? 0;
    return { box, i, look: {
      fill: chart.filled(each(marker.color, i), each(marker.pattern?.shape, i), marker.pattern),
      stroke: wide ? each(marker.line?.color, i) : null, "stroke-width": wide || null,
    } };
  }).filter(Boolean);
  const clip = { "clip-path": trace.cliponaxis === false ? null : axes.clip };
  const boxes = drawn.filter(({ box }) => box[2] > box[0] && box[3] > box[1]).map(({ box: [left, top, right, foot], look }) =>
    make("path", { d: `M${at2(left)},${at2(foot)}V${at2(top)}H${at2(right)}V${at2(foot)}Z`, class: "bar", ...look }));
  const words = drawn.map(({ box, i }) => barWords(chart, trace, box, i, flat));
  const [x, y] = [numbersOf(trace.x), numbersOf(trace.y)];
  if (trace.error_x || trace.error_y) words.push(...errorsOf(trace, x, y, axes));
  return [make("g", clip, boxes, words)];
}

function barWords(chart, trace, [left, top, right, foot], i, flat) {
  const text = each(trace.text, i);
  if (!text || !trace.textposition) return null;
  const size = trace.textfont?.size ?? chart.letters;
  const [x, y] = [(left + right) / 2, (top + foot) / 2];
  if (trace.textposition === "outside")
    return flat ? chart.text(text, right + 3, y + 0.35 * size, size, "start") : chart.text(text, x, top - 3 - 0.2 * size, size, "middle");
  const anchor = trace.insidetextanchor ?? "end";
  const wide = chart.wide(text, size);
  const scale = Math.min(1, (right - left - 6) / wide, (foot - top - 6) / (size * 1.2));
  if (scale <= 0) return null;
  const colour = trace.insidetextfont?.color ?? trace.textfont?.color;
  const letters = size * scale;
  const across = flat && anchor !== "middle" ? (anchor === "start" ? left + 3 + (wide * scale) / 2 : right - 3 - (wide * scale) / 2) : x;
  const up = flat || anchor === "middle" ? y : anchor === "start" ? foot - 3 - letters * 0.6 : top + 3 + letters * 0.6;
  return chart.text(text, across, up + 0.35 * letters, letters, "middle", { fill: colour ?? null });
}

// ---------------------------------------------------------------------------------------------- cells

function cellsOf(chart, trace, axes) {
  const rows = numbers(trace.z);
  const edges = (axis, values) => {
    const lines = numbersOf(values).map((value) => along(axis, value));
    const half = lines.length > 1 ? (lines[1] - lines[0]) / 2 : 0.5;
    return lines.map((line, i) => [axis.at(i ? (line + lines[i - 1]) / 2 : line - half),
      axis.at(i < lines.length - 1 ? (line + lines[i + 1]) / 2 : line + (i ? line - lines[i - 1] : 2 * half) / 2)].sort((a, b) => a - b));
  };
  const [x, y] = [edges(axes.x, trace.x), edges(axes.y, trace.y)];
  const [gapX, gapY] = [(trace.xgap ?? 0) / 2, (trace.ygap ?? 0) / 2];
  const [cells, words] = [[], []];
  y.forEach(([top, foot], r) => x.forEach(([left, right], c) => {
    const z = rows[r][c];
    const known = z !== null && z !== undefined && !Number.isNaN(z);
    const at = [(left + right) / 2, (top + foot) / 2];
    if (known) cells.push(make("rect", {
      x: at2(left + gapX), y: at2(top + gapY), width: at2(Math.max(right - left - 2 * gapX, 0)), height: at2(Math.max(foot - top - 2 * gapY, 0)),
      fill: coloured(trace.colorscale, (z - trace.zmin) / (trace.zmax - trace.zmin)),
    }));
    const text = trace.text?.[r]?.[c];
    const size = trace.textfont?.size ?? chart.letters;
    if (trace.texttemplate && text && known) words.push(chart.text(text, at[0], at[1] + 0.35 * size, size, "middle"));
    if (trace.hoverinfo !== "skip" && known) chart.hits.push({
      at, box: [left, top, right, foot], i: [r, c], trace, axes,
      value: { x: numbers(trace.x)[c], y: numbers(trace.y)[r], z, text, customdata: trace.customdata?.[r]?.[c] },
    });
  }));
  return [make("g", { "clip-path": axes.clip, class: "cells" }, cells), make("g", {}, words)];
}

// A colour of a scale, between its stops.
function coloured(scale, share) {
  const within = Math.min(Math.max(share, 0), 1);
  const above = Math.max(scale.findIndex(([stop]) => stop >= within), 1);
  const [[low, from], [high, to]] = [scale[above - 1], scale[above]];
  const part = (within - low) / (high - low);
  const [a, b] = [channels(from), channels(to)];
  const mixed = a.map((value, i) => value + part * (b[i] - value));
  return `rgba(${mixed.slice(0, 3).map(Math.round).join(",")},${Math.round(mixed[3] * 1000) / 1000})`;
}

function channels(colour) {
  if (colour[0] === "#") return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)).concat(1);
  const found = colour.match(/[\d.]+/g).map(Number);
  return found.length < 4 ? [...found, 1] : found;
}
