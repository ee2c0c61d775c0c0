// Traces of points in a chart of figure_svg.js: lines, fills, marks, words and error bars; and what
// stands beside the pointer at each point.

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

const kept = new WeakMap(); // by trace: what was drawn of it, where its axes stood

// A trace that is the very same as at the last draw, between the same axes, is not made anew.
function scatterOf(chart, trace, axes, before) {
  const where = [axes.x, axes.y].map(({ from, length, ends }) => [from, length, ends]);
  const key = [axes.clip, where, chart.letters, chart.haloed(trace) && chart.theme.paper].join();
  let own = kept.get(trace);
  if (own?.key !== key || trace.fill === "tonexty") {
    own = { key, ...pointsOf({ ...chart, hits: [] }, trace, axes, before) };
    kept.set(trace, own);
  }
  for (const hit of own.hits) chart.hits.push(hit);
  before.runs = own.runs;
  return own.parts;
}

function pointsOf(chart, trace, axes, before) {
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
    parts.push(make("path", { d, class: "line", fill: "none", ...pen({ color: trace.marker?.color, ...trace.line }) }));
  }
  const found = [make("g", clip, parts)];
  if (mode.includes("markers")) found.push(make("g", { ...clip, class: "marks" }, places.map((at, i) => at && within(at)
    && make("path", { transform: `translate(${at2(at[0])},${at2(at[1])})`, ...markOf(markerOf(trace), i) }))));
  if (mode.includes("text")) found.push(make("g", { ...clip, class: "words" }, places.map((at, i) => at && within(at)
    && wordsOf(chart, trace, at, i, mode.includes("markers")))));
  if (trace.hoverinfo !== "skip") places.forEach((at, i) => at && axes.inside(...at)
    && chart.hits.push({ at, i, trace, value: { x: x[i], y: y[i] }, axes }));
  return { parts: found, runs, hits: chart.hits };
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

// Outlines of marks, 20 pixels wide.
const CROSS = "M7.07,7.07L-7.07,-7.07M7.07,-7.07L-7.07,7.07";
const CIRCLE = "M10,0A10,10 0 1 1 0,-10A10,10 0 0 1 10,0Z";
const SHAPES = {
  circle: CIRCLE,
  "circle-x": CROSS + CIRCLE,
  square: "M10,10H-10V-10H10Z",
  "square-x": "M10,10L-10,-10M10,-10L-10,10M10,10H-10V-10H10Z",
  diamond: "M13,0L0,13L-13,0L0,-13Z",
  "diamond-tall": "M0,14L7,0L0,-14L-7,0Z",
  "diamond-wide": "M0,7L14,0L0,-7L-14,0Z",
  cross: "M12,4H4V12H-4V4H-12V-4H-4V-12H4V-4H12Z",
  x: "M0,5.66l5.66,5.66l5.66,-5.66l-5.66,-5.66l5.66,-5.66l-5.66,-5.66l-5.66,5.66l-5.66,-5.66l-5.66,5.66l5.66,5.66l-5.66,5.66l5.66,5.66Z",
  "triangle-up": "M-11.55,5H11.55L0,-10Z",
  "triangle-down": "M-11.55,-5H11.55L0,10Z",
  "triangle-left": "M5,-11.55V11.55L-10,0Z",
  "triangle-right": "M-5,-11.55V11.55L10,0Z",
  "triangle-ne": "M-12,-6H6V12Z",
  pentagon: "M9.51,-3.09L5.88,8.09H-5.88L-9.51,-3.09L0,-10Z",
  hexagon: "M8.66,-5V5L0,10L-8.66,5V-5L0,-10Z",
  star: "M3.15,-4.33H13.31L5.08,1.65L8.23,11.33L0,5.35L-8.23,11.33L-5.08,1.65L-13.31,-4.33H-3.15L0,-14Z",
  "star-triangle-up": "M-13.86,8A40,40 0 0 1 13.86,8A40,40 0 0 1 0,-16A40,40 0 0 1 -13.86,8Z",
  "star-square": "M-11,-11A20,20 0 0 1 -11,11A20,20 0 0 1 11,11A20,20 0 0 1 11,-11A20,20 0 0 1 -11,-11Z",
  "star-diamond": "M-14,0A19,19 0 0 1 0,14A19,19 0 0 1 14,0A19,19 0 0 1 0,-14A19,19 0 0 1 -14,0Z",
  hourglass: "M10,10H-10L10,-10H-10Z",
  bowtie: "M10,10V-10L-10,10V-10Z",
  "cross-thin": "M0,14V-14M14,0H-14",
  "x-thin": "M10,10L-10,-10M10,-10L-10,10",
  "line-ew": "M14,0H-14",
  "line-ns": "M0,14V-14",
};
const outlines = new Map();

function outline(symbol, size) {
  const key = `${symbol} ${size}`;
  const sized = (number) => at2((number * size) / 20);
  if (!outlines.has(key)) outlines.set(key, SHAPES[symbol].replace(/A([\d.]+),[\d.]+ 0 (\d) (\d) |-?[\d.]+/g,
    (number, radius, big, way) => (radius ? `A${sized(radius)},${sized(radius)} 0 ${big} ${way} ` : sized(number))));
  return outlines.get(key);
}

// A mark takes its line's colour where it has none.
const markerOf = ({ marker = {}, line }) => ({ color: line?.color, ...marker });

function markOf(marker, i, size = each(marker.size, i) ?? 6) {
  const symbol = each(marker.symbol, i) ?? "circle";
  const [colour, thick] = [each(marker.color, i), each(marker.line?.width, i) ?? 0];
  const hollow = symbol.endsWith("-open") || symbol.endsWith("-thin") || symbol.startsWith("line-");
  const d = outline(symbol.replace("-open", ""), size);
  const edge = symbol.endsWith("-open") ? colour : each(marker.line?.color, i) ?? (hollow ? colour : null);
  return {
    d,
    fill: hollow ? "none" : colour,
    stroke: thick || hollow ? edge : null,
    "stroke-width": thick || hollow ? thick || 1 : null,
    opacity: each(marker.opacity, i) ?? null,
  };
}

// Of words that lie over lines.
const HALO = { "paint-order": "stroke", "stroke-width": 4, "stroke-linejoin": "round" };
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
  const look = chart.haloed(trace) ? { ...HALO, stroke: chart.theme.paper } : {};
  const fill = each(trace.textfont?.color, i) ?? null;
  return chart.text(text, left + way * clear, top + down, size, anchor, { ...look, fill: fill && chart.inked(fill) });
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
