// What a chart's traces are, drawn in elements of figure_svg.js: lines, fills, marks, words, error
// bars, bars and cells; and what stands beside the pointer at each.

// ------------------------------------------------------------------------------------ values of a trace

const ARRAYS = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array,
  i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array,
};
const decoded = new WeakMap();

// A list as it came, or one that was packed as base 64; in rows where it has two dimensions.
function numbers(values) {
  if (!values?.bdata) return values;
  if (!decoded.has(values)) {
    const bytes = Uint8Array.from(atob(values.bdata), (sign) => sign.charCodeAt(0));
    const flat = Array.from(new ARRAYS[values.dtype](bytes.buffer));
    const wide = values.shape === undefined ? 0 : Number(String(values.shape).split(",")[1] ?? 0);
    const rows = wide ? Array.from({ length: flat.length / wide }, (_, i) => flat.slice(i * wide, (i + 1) * wide)) : flat;
    decoded.set(values, rows);
  }
  return decoded.get(values);
}

const numbersOf = (values) => Array.from(numbers(values) ?? []);
// An entry that may be one for all points or a list.
const each = (value, i) => (Array.isArray(value) || value?.bdata ? numbers(value)[i] : value);
const at2 = (pixel) => Math.round(pixel * 100) / 100;

// -------------------------------------------------------------------------------------------- scatter

function scatterOf(chart, trace, axes, before) {
  const [x, y] = [numbersOf(trace.x), numbersOf(trace.y)];
  const places = x.map((value, i) => {
    const at = [axes.x.px(value), axes.y.px(y[i])];
    return Number.isFinite(at[0]) && Number.isFinite(at[1]) ? at : null;
  });
  const mode = trace.mode ?? "lines";
  const clip = { "clip-path": trace.cliponaxis === false ? null : axes.clip };
  const within = ([left, top]) => trace.cliponaxis !== false || axes.inside(left, top);
  const runs = runsOf(trace.connectgaps ? places.filter(Boolean) : places, trace.line?.shape);
  const parts = [];
  if (trace.fill) parts.push(fillOf(trace, runs, axes, before.runs));
  parts.push(...errorsOf(trace, x, y, axes));
  if (mode.includes("lines")) {
    const d = runs.map((run) => `M${run.join("L")}`).join("");
    parts.push(make("path", { d, class: "line", fill: "none", ...pen(trace.line) }));
  }
  const found = [make("g", clip, parts)];
  before.runs = runs;
  if (mode.includes("markers")) found.push(make("g", { ...clip, class: "marks" }, places.map((at, i) => at && within(at)
    && make("path", { transform: `translate(${at2(at[0])},${at2(at[1])})`, ...markOf(trace.marker ?? {}, i) }))));
  if (mode.includes("text")) found.push(make("g", { ...clip, class: "words" }, places.map((at, i) => at && within(at)
    && wordsOf(chart, trace, at, i, mode.includes("markers")))));
  if (trace.hoverinfo !== "skip") places.forEach((at, i) => at && axes.inside(...at)
    && chart.hits.push({ at, i, trace, value: { x: x[i], y: y[i] }, axes }));
  return found;
}

// The pieces of a line, in pixels; steps where its shape has them.
function runsOf(places, shape) {
  const runs = [];
  places.forEach((at, i) => {
    if (!at) return;
    if (!i || !places[i - 1]) runs.push([]);
    const run = runs.at(-1);
    const last = run.at(-1);
    if (last && shape === "hv") run.push([at[0], last[1]]);
    if (last && shape === "hvh") {
      const middle = (places[i - 1][0] + at[0]) / 2;
      run.push([middle, last[1]], [middle, at[1]]);
    }
    run.push(at);
  });
  return runs.map((run) => run.map(([left, top]) => [at2(left), at2(top)]));
}

function fillOf(trace, runs, axes, below) {
  const { fill } = trace;
  const ground = at2(axes.y.log ? axes.y.from + axes.y.length : axes.y.px(0));
  const closed = (run) => `M${run.join("L")}Z`;
  const shapes = runs.map((run, i) => {
    if (fill === "toself") return closed(run);
    if (fill === "tonexty" && below) return closed([...run, ...[...(below[i] ?? [])].reverse()]);
    return closed([...run, [run.at(-1)[0], ground], [run[0][0], ground]]);
  });
  return make("path", { d: shapes.join(""), class: "fill", fill: trace.fillcolor ?? trace.line?.color ?? "none" });
}

function pen(line = {}) {
  const width = line.width ?? 2;
  return { stroke: line.color, "stroke-width": width, "stroke-dasharray": dashes(line.dash, width), "stroke-miterlimit": 2 };
}

function dashes(dash, width) {
  const one = Math.max(width, 3);
  const rows = { dot: [1, 1], dash: [3, 3], longdash: [5, 5], dashdot: [3, 1, 1, 1], longdashdot: [5, 1, 1, 1] };
  return rows[dash]?.map((times) => times * one).join(" ") ?? null;
}

function errorsOf(trace, x, y, axes) {
  return ["x", "y"].flatMap((letter) => {
    const bars = trace[`error_${letter}`];
    if (!bars) return [];
    const [axis, up, down] = [axes[letter], numbersOf(bars.array), numbersOf(bars.arrayminus ?? bars.array)];
    const d = x.map((value, i) => {
      const [left, top] = [axes.x.px(value), axes.y.px(y[i])];
      const middle = letter === "x" ? value : y[i];
      const ends = [middle - down[i], middle + up[i]].map((end) => axis.px(axis.log && end <= 0 ? 10 ** (axis.ends[0] - 1) : end));
      if (![left, top, ...ends].every(Number.isFinite)) return "";
      const [a, b, cap] = [at2(ends[0]), at2(ends[1]), bars.width ?? 4];
      return letter === "x"
        ? `M${a},${at2(top) - cap}v${2 * cap}m0,-${cap}H${b}m0,-${cap}v${2 * cap}`
        : `M${at2(left) - cap},${b}h${2 * cap}m-${cap},0V${a}m-${cap},0h${2 * cap}`;
    });
    return [make("path", { d: d.join(""), class: "error", fill: "none", stroke: bars.color, "stroke-width": bars.thickness ?? 2 })];
  });
}

// ---------------------------------------------------------------------------------------------- marks

const SHAPES = {
  circle: (r) => `M${r},0A${r},${r} 0 1,1 0,-${r}A${r},${r} 0 0,1 ${r},0Z`,
  square: (r) => `M${r},${r}H-${r}V-${r}H${r}Z`,
  diamond: (r) => `M${1.3 * r},0L0,${1.3 * r}L-${1.3 * r},0L0,-${1.3 * r}Z`,
  "triangle-up": (r) => `M-${1.1547 * r},${r / 2}H${1.1547 * r}L0,-${r}Z`,
  "triangle-right": (r) => `M-${r / 2},-${1.1547 * r}V${1.1547 * r}L${r},0Z`,
  x(r) {
    const s = (0.8 * r) / Math.SQRT2;
    return `M0,${s}l${s},${s}l${s},-${s}l-${s},-${s}l${s},-${s}l-${s},-${s}l-${s},${s}l-${s},-${s}l-${s},${s}l${s},${s}l-${s},${s}l${s},${s}Z`;
  },
  star(r) {
    const points = [[0.225, -0.309], [0.951, -0.309], [0.363, 0.118], [0.588, 0.809], [0, 0.382],
      [-0.588, 0.809], [-0.363, 0.118], [-0.951, -0.309], [-0.225, -0.309], [0, -1]];
    return `M${points.map(([x, y]) => [1.4 * r * x, 1.4 * r * y]).join("L")}Z`;
  },
  "star-square"(r) {
    const [a, b] = [r * 1.1, r * 0.55];
    return `M-${a},-${a}L0,-${b}L${a},-${a}L${b},0L${a},${a}L0,${b}L-${a},${a}L-${b},0Z`;
  },
  "circle-x": (r) => `${SHAPES.circle(r)}M${0.7071 * r},${0.7071 * r}L-${0.7071 * r},-${0.7071 * r}M${0.7071 * r},-${0.7071 * r}L-${0.7071 * r},${0.7071 * r}`,
  "x-thin": (r) => `M${r},${r}L-${r},-${r}M${r},-${r}L-${r},${r}`,
  "cross-thin": (r) => `M0,${1.4 * r}V-${1.4 * r}M${1.4 * r},0H-${1.4 * r}`,
  "line-ew": (r) => `M${1.4 * r},0H-${1.4 * r}`,
};

function markOf(marker, i, size = each(marker.size, i) ?? 6) {
  const symbol = each(marker.symbol, i) ?? "circle";
  const [colour, thick] = [each(marker.color, i), each(marker.line?.width, i) ?? 0];
  const hollow = symbol.endsWith("-open") || symbol.endsWith("-thin") || symbol.startsWith("line-");
  const d = SHAPES[symbol.replace("-open", "")](size / 2);
  const edge = symbol.endsWith("-open") ? colour : each(marker.line?.color, i) ?? (hollow ? colour : null);
  return {
    d,
    fill: hollow ? "none" : colour,
    stroke: thick || hollow ? edge : null,
    "stroke-width": thick || hollow ? thick || 1 : null,
    opacity: each(marker.opacity, i) ?? null,
  };
}

const SIDES = { top: -1, middle: 0, bottom: 1 };
const ENDS = { left: [-1, "end"], center: [0, "middle"], right: [1, "start"] };

function wordsOf(chart, trace, [left, top], i, marked) {
  const text = each(trace.text, i);
  if (!text) return null;
  const [upright, level] = (each(trace.textposition, i) ?? "middle center").split(" ");
  const size = each(trace.textfont?.size, i) ?? chart.letters;
  const clear = marked ? (each(trace.marker?.size, i) ?? 6) / 1.6 + 1 : 0;
  const [way, anchor] = ENDS[level];
  const tall = (String(text).split("<br>").length - 1) * LINE + 1;
  const down = 0.75 * size + SIDES[upright] * clear + ((SIDES[upright] - 1) * tall * size) / 2;
  return chart.text(text, left + way * clear, top + down, size, anchor, { class: "word" });
}

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
      const base = (piled && ground.get(key)) || 0;
      if (value) ground.set(key, base + value);
      const half = (each(trace.width, i) ?? wide) / 2;
      const room = Math.max(half, apart / 2);
      return { ends: [base, base + value], across: [middle - half, middle + half], room: [middle - room, middle + room] };
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
  const along_ = Math.min(Math.max(share, 0), 1);
  const above = Math.max(scale.findIndex(([stop]) => stop >= along_), 1);
  const [[low, from], [high, to]] = [scale[above - 1], scale[above]];
  const part = (along_ - low) / (high - low);
  const [a, b] = [channels(from), channels(to)];
  const mixed = a.map((value, i) => value + part * (b[i] - value));
  return `rgba(${mixed.slice(0, 3).map(Math.round).join(",")},${Math.round(mixed[3] * 1000) / 1000})`;
}

function channels(colour) {
  if (colour[0] === "#") return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)).concat(1);
  const found = colour.match(/[\d.]+/g).map(Number);
  return found.length < 4 ? [...found, 1] : found;
}

// -------------------------------------------------------------------------------- beside the pointer

// The words of a point, a list of lines; the trace's name, or what its template has, last.
function hoverWords({ trace, i, value, axes }) {
  const { name = "", hovertemplate, hoverinfo } = trace;
  const text = value.text ?? each(trace.hovertext ?? trace.text, i);
  if (hoverinfo === "name") return [name];
  if (hoverinfo === "text") return String(text ?? name).split("<br>");
  if (!hovertemplate) {
    const place = `(${said(axes.x, value.x)}, ${said(axes.y, value.y)})`;
    return [place, ...(text ? [text] : []), ...(name ? [name] : [])];
  }
  const data = { ...value, text, customdata: value.customdata ?? each(trace.customdata, i) };
  const filled = each(hovertemplate, i).replace(/%\{(\w+)(?:\[(\d+)\])?(?::([^}]*))?\}/g, (_, key, place, spec) => {
    const found = place === undefined ? data[key] : data[key]?.[place];
    if (typeof found !== "number") return found ?? "";
    return spec ? formatted(found, spec) : key in axes ? said(axes[key], found) : String(found);
  });
  const [words, extra = name] = filled.replace("</extra>", "").split("<extra>");
  return [...words.split("<br>"), extra].filter(Boolean);
}

function said(axis, value) {
  if (typeof value !== "number") return String(value);
  if (axis.tickformat) return formatted(value, axis.tickformat);
  return String(+value.toPrecision(4)).replace("-", MINUS);
}
