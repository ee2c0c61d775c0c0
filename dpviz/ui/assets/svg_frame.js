// What stands around the traces in a chart of figure_svg.js: margins, ticks and titles, legend, scale
// of colours, shapes and notes, each where Plotly has it.

const CAP = 0.7; // height of a capital, in its letters' size
const LEAST = 64; // px of the plot that margins leave
const ITEM = { gap: 5, width: 40, pad: 10 }; // px of a legend's entries: between, before words, around
const FROM = { left: 0, center: 0.5, right: 1, top: 0, middle: 0.5, bottom: 1 };

// All that is seen of a figure: a list of elements, and what stands beside the pointer where.
function drawn(figure, { dark, width }, own, family) {
  const theme = THEMES[dark ? "dark" : "light"];
  const { data: all, layout, below } = shown(figure, width);
  const data = all.filter((trace) => trace.visible !== false && (numbers(trace.x)?.length || numbers(trace.y)?.length));
  const chart = { data, layout, width, height: layout.height ?? 450, theme, family, own, letters: layout.font?.size ?? 13, hits: [], defs: [] };
  chart.wide = (text, size) => measure(String(text), size, family).width;
  chart.text = (text, x, y, size, anchor, set = {}) => textOf(text, x, y, size, anchor, set);
  chart.filled = (colour, shape, look) => (shape ? patterned(chart, colour, shape, look) : colour);
  const axes = axesOf(layout, data);
  const used = new Set(all.flatMap(({ xaxis = "x", yaxis = "y" }) => [xaxis, yaxis]).concat(all.length ? [] : ["x", "y"]));
  for (const axis of Object.values(axes)) axis.visible &&= used.has(axis.id) || Boolean(layout[axis.key]?.anchor);
  const bars = boxesOf(data, layout);
  chart.legend = legendOf(chart);
  const size = settled(chart, axes, bars);
  const visible = Object.values(axes).filter(({ visible }) => visible);
  const [under, over] = [true, false].map((first) => (layout.shapes ?? [])
    .filter(({ layer, visible }) => (layer === "below") === first && visible !== false).map((shape) => shapeOf(chart, shape, axes, size)));
  const plots = plotsOf(chart, axes, bars);
  const parts = [
    make("g", { class: "under" }, under),
    make("g", { class: "grid" }, visible.map((axis) => gridOf(chart, axis))),
    make("g", { class: "plots" }, plots),
    make("g", { class: "axes" }, visible.map((axis) => labelsOf(chart, axis))),
    make("g", { class: "over" }, over),
    make("g", { class: "scales" }, data.map((trace) => scaled(trace) && scaleOf(chart, trace, size))),
    make("g", { class: "legend" }, chart.legend && entriesOf(chart, size)),
    make("g", { class: "notes" }, (layout.annotations ?? []).map((note) => noteOf(chart, note, axes, size))),
  ];
  chart.below = below?.(chart);
  chart.inside = [make("defs", {}, chart.defs), make("g", { fill: theme.ink }, parts)];
  return chart;
}

// The figure as it is shown at this width: on a narrow page without names beside the lines, and with
// its panels below one another.
function shown({ data, layout }, width) {
  if (width >= NARROW) return { data, layout };
  const panels = layout.meta?.panels?.narrow;
  if (panels) {
    layout = { ...layout };
    for (const [key, value] of Object.entries(panels)) {
      const [outer, inner] = key.split(".");
      layout[outer] = inner ? { ...layout[outer], [inner]: value } : value;
    }
  }
  if (!layout.meta?.named) return { data, layout };
  const [names, numbers_] = [data.at(-MOVING - 1), data.at(-1)];
  const below = (chart) => numbersOf(names.text).map((name, i) => {
    const trace = data[layout.meta.lines[i]];
    const mark = /markers/.test(trace.mode) && make("path", { transform: "translate(18,8)", ...markOf(trace.marker ?? {}, 0) });
    const line = make("path", { d: "M1,8H35", ...pen(trace.line) });
    const text = `${bare(each(numbers_.text, i) ?? "")} ${bare(name)}`.replace(/\s+/g, " ").trim();
    return { mark: mark || null, line, text };
  });
  return { data: data.filter((trace) => trace !== names), below,
    layout: { ...layout, shapes: [], margin: { ...layout.margin, r: BESIDE } } };
}

// ------------------------------------------------------------------------------------------- margins

// Sets every axis in its place; the plot's margins grow until what stands outside it has room.
function settled(chart, axes, bars) {
  const { layout, width, height } = chart;
  const base = { l: 8, r: 8, t: 8, b: 8, ...layout.margin };
  const pad = Math.min(12, base.l, base.r, base.t, base.b);
  let size = { ...base };
  for (let turn = 0; turn < 4; turn++) {
    size.w = width - size.l - size.r;
    size.h = height - size.t - size.b;
    for (const axis of Object.values(axes)) {
      const [low, high] = axis.overlaying ? axes[axis.overlaying].domain : axis.domain;
      if (axis.upright) place(axis, size.t + size.h * (1 - high), size.h * (high - low), bars);
      else place(axis, size.l + size.w * low, size.w * (high - low), bars);
    }
    for (const axis of Object.values(axes)) if (axis.scaleanchor) oneScale(axis, axes[axis.scaleanchor]);
    for (const axis of Object.values(axes)) labelled(chart, axis);
    const pushes = Object.values(axes).filter((axis) => axis.automargin && axis.visible)
      .map((axis) => pushOf(axis, pad));
    pushes.push(...legendPush(chart, size, pad), ...scalePush(chart, size, pad));
    const next = pushed(base, pushes, width, height);
    const foot = chart.legend?.entries.yref === "container" && chart.legend.height;
    if (foot) next.b = next.moved ? next.b + foot : Math.max(next.b, foot);
    if (["l", "r", "t", "b"].every((side) => next[side] === size[side])) break;
    size = next;
  }
  return size;
}

// Every pair of what pushes from the left and from the right, from below and from above.
function pushed(base, pushes, width, height) {
  const all = [{ l: [0, base.l], r: [1, base.r], t: [1, base.t], b: [0, base.b] }, ...pushes];
  const found = { ...base, moved: false };
  const pair = (one, other, least, most, whole) => {
    for (const first of all) for (const second of all) {
      if (!first[least] || !second[most]) continue;
      const [[from, near], [to, far]] = [first[least], second[most]];
      if (to <= from) continue;
      const a = (near * to + (far - whole) * from) / (to - from);
      const b = (far * (1 - from) + (near - whole) * (1 - to)) / (to - from);
      if (a >= 0 && b >= 0 && a + b > found[one] + found[other]) [found[one], found[other]] = [a, b];
    }
  };
  pair("l", "r", "l", "r", width);
  pair("b", "t", "b", "t", height);
  for (const [one, other, whole] of [["l", "r", width], ["b", "t", height]]) {
    const over = (found[one] + found[other]) / Math.max(whole - LEAST, 1);
    if (over > 1) [found[one], found[other]] = [found[one] / over, found[other] / over];
  }
  found.moved = found.b > base.b;
  for (const side of ["l", "r", "t", "b"]) found[side] = Math.round(found[side]);
  return found;
}

// The words of an axis' ticks with their sizes: how deep they reach, and past its ends.
function labelled(chart, axis) {
  axis.ticked = axis.visible ? ticksOf(axis) : [];
  axis.labels = axis.showticklabels ? axis.ticked.filter((tick) => axis.names || !overflows(chart, axis, tick)) : [];
  const sized = (tick) => measure(tick.text, letters(axis, tick), chart.family);
  const sizes = axis.labels.map(sized);
  axis.angle = angleOf(axis, axis.labels, sizes.map(({ width }) => width));
  axis.out = axis.tick ? axis.tick + 0.2 * axis.size + 1 : 1; // from the end of PAD to the words
  const rad = (axis.angle * Math.PI) / 180;
  axis.reach = Math.max(0, ...sizes.map(({ width, up, down, lines }, i) => {
    if (axis.upright) return width + axis.out - 0.5;
    const tall = (lines - 1) * LINE * letters(axis, axis.labels[i]) + letters(axis, axis.labels[i]) + down;
    if (!axis.angle) return axis.out + tall - 0.5;
    return axis.out + Math.abs(Math.sin(rad)) * width + Math.abs(Math.cos(rad)) * (up + down) - 0.5;
  }));
  axis.past = [0, 0];
  axis.labels.forEach((tick, i) => {
    const [at, { width, up, down }] = [axis.at(tick.line), sizes[i]];
    const across = Math.abs(Math.cos(rad)) * width;
    const [before, after] = axis.upright ? [up - 0.35 * axis.size, 0.35 * axis.size + down]
      : !axis.angle ? [width / 2, width / 2] : axis.angle < 0 ? [across, 0] : [0, across];
    axis.past[0] = Math.max(axis.past[0], axis.from - at + before);
    axis.past[1] = Math.max(axis.past[1], at + after - axis.from - axis.length);
  });
}

// Words past the chart's edge are left out, but for names.
function overflows(chart, axis, tick) {
  if (axis.tickangle || axis.ticktext) return false;
  const { width, up } = measure(tick.text, letters(axis, tick), chart.family);
  const [at, half] = [axis.at(tick.line), (axis.upright ? up : width) / 2];
  return at - half < 0 || at + half > (axis.upright ? chart.height : chart.width);
}

const letters = (axis, tick) => axis.size * (tick.size ?? 1);

function pushOf(axis, pad) {
  const deep = axis.labels.length ? axis.reach + 0.5 + PAD : 0;
  const title = axis.title?.text ? axis.standoff + CAP * 14 : 0;
  const push = {};
  const anchored = axis.partner?.domain ?? [0, 1];
  const room = deep + title + pad;
  if (axis.upright) {
    if (axis.side === "right") push.r = [anchored[1], room];
    else push.l = [anchored[0], room];
    if (axis.past[0] > 0) push.t = [1, axis.past[0] + pad];
    if (axis.past[1] > 0) push.b = [0, axis.past[1] + pad];
    const [low, high] = axis.domain;
    if (push.t) push.t[0] = high;
    if (push.b) push.b[0] = low;
  } else {
    push.b = [anchored[0], room];
    if (axis.past[0] > 0) push.l = [axis.domain[0], axis.past[0] + pad];
    if (axis.past[1] > 0) push.r = [axis.domain[1], axis.past[1] + pad];
  }
  return push;
}

// ------------------------------------------------------------------------------------- axes, drawn

function gridOf(chart, axis) {
  const other = axis.partner;
  const [from, to] = [other.from, other.from + other.length];
  const line = (at) => (axis.upright ? `M${at2(from)},${at2(at)}H${at2(to)}` : `M${at2(at)},${at2(from)}V${at2(to)}`);
  const zero = axis.zeroline && Math.min(...axis.ends) <= 0 && Math.max(...axis.ends) >= 0 && !axis.log;
  const lines = axis.showgrid ? axis.ticked.filter((tick) => !(zero && tick.line === 0)) : [];
  return [
    make("path", { d: lines.map((tick) => line(axis.at(tick.line))).join(""), stroke: axis.gridcolor ?? chart.theme.line }),
    zero && make("path", { d: line(axis.at(0)), stroke: axis.zerolinecolor ?? chart.theme.line }),
  ];
}

function labelsOf(chart, axis) {
  const other = axis.partner;
  const right = axis.side === "right";
  const edge = axis.upright ? (right ? other.from + other.length : other.from) : other.from + other.length;
  const sign = axis.upright && !right ? -1 : 1;
  const parts = axis.labels.map((tick) => {
    const [at, size, off] = [axis.at(tick.line), letters(axis, tick), edge + sign * (PAD + axis.out)];
    if (axis.upright) {
      const lines = tick.text.split("<br>").length - 1;
      return chart.text(tick.text, off, at + 0.35 * size - (lines * LINE * size) / 2, size, right ? "start" : "end");
    }
    if (!axis.angle) return chart.text(tick.text, at, off + size, size, "middle");
    const turn = { transform: `rotate(${axis.angle},${at2(at)},${at2(off + size / 2)})` };
    const down = off + size * 0.85;
    return chart.text(tick.text, at, down, size, axis.angle < 0 ? "end" : "start", turn);
  });
  if (axis.tick) {
    const d = axis.ticked.map(({ line }) => (axis.upright ? `M${at2(edge + sign * PAD)},${at2(axis.at(line))}h${sign * TICK}`
      : `M${at2(axis.at(line))},${at2(edge + PAD)}v${TICK}`));
    parts.push(make("path", { d: d.join(""), stroke: chart.theme.line }));
  }
  const title = axis.title?.text;
  if (!title) return parts;
  const size = axis.title.font?.size ?? 14;
  const middle = axis.from + axis.length / 2;
  const away = (axis.labels.length ? axis.reach : 0.5) + axis.standoff;
  if (!axis.upright) return [...parts, chart.text(title, middle, clear(chart, axis, title, size, edge, edge + away + CAP * size), size, "middle")];
  const x = right ? Math.min(edge + away + CAP * size, chart.width - measure(title, size, chart.family).down) : Math.max(edge - away - (CAP * size) / 2, measure(title, size, chart.family).up);
  return [...parts, chart.text(title, x, middle, size, "middle", { transform: `rotate(-90,${at2(x)},${at2(middle)})` })];
}

// Where a title below ticks stands: under their words where it would meet them, and within the chart.
function clear(chart, axis, title, size, edge, foot) {
  const { width, up, down } = measure(title, size, chart.family);
  const half = width / 2 + 2;
  const middle = axis.from + axis.length / 2;
  const meets = axis.labels.some((tick) => {
    const own = measure(tick.text, letters(axis, tick), chart.family).width / 2;
    return Math.abs(axis.at(tick.line) - middle) < half + own;
  });
  const low = edge + PAD + axis.reach + 0.5;
  const wanted = meets && low > foot - up ? low + up : foot;
  return Math.min(wanted, chart.height - down);
}

// Each pair of axes with its traces: cells under bars under lines.
function plotsOf(chart, axes, bars) {
  const found = new Map();
  const order = { heatmap: 0, bar: 1, scatter: 2 };
  const layers = chart.data.map((trace, i) => ({ trace, i }))
    .sort((a, b) => order[a.trace.type] - order[b.trace.type] || a.i - b.i);
  for (const { trace } of layers) {
    const [x, y] = [axes[trace.xaxis ?? "x"], axes[trace.yaxis ?? "y"]];
    const key = `${x.id}${y.id}`;
    if (!found.has(key)) found.set(key, plotOf(chart, x, y, key));
    const plot = found.get(key);
    if (trace.type === "heatmap") plot.parts.push(cellsOf(chart, trace, plot));
    else if (trace.type === "bar") plot.parts.push(barsOf(chart, trace, plot, bars));
    else plot.parts.push(make("g", { class: "trace", opacity: trace.opacity ?? null }, scatterOf(chart, trace, plot, plot.before)));
  }
  return [...found.values()].map(({ parts }) => make("g", {}, parts));
}

function plotOf(chart, x, y, key) {
  const id = `${chart.own}-${key}`;
  chart.defs.push(make("clipPath", { id }, make("rect", { x: x.from, y: y.from, width: Math.max(x.length, 0), height: Math.max(y.length, 0) })));
  const inside = (left, top) => left > x.from - 0.01 && left < x.from + x.length + 0.01
    && top > y.from - 0.01 && top < y.from + y.length + 0.01;
  return { x, y, clip: `url(#${id})`, inside, parts: [], before: {} };
}

function patterned(chart, colour, shape, { size = 8, solidity = 0.3 }) {
  const id = `${chart.own}-p${chart.defs.length}`;
  const [q, wide] = [size / 4, (solidity * size) / Math.SQRT2];
  const slant = `M-${q},${q}l${2 * q},-${2 * q}M0,${size}L${size},0M${3 * q},${5 * q}l${2 * q},-${2 * q}`;
  const other = `M${3 * q},-${q}l${2 * q},${2 * q}M0,0L${size},${size}M-${q},${3 * q}l${2 * q},${2 * q}`;
  const mark = shape === "." ? make("circle", { cx: size / 2, cy: size / 2, r: at2(Math.sqrt((solidity * size * size) / Math.PI)), fill: colour })
    : make("path", { d: shape === "/" ? slant : other, stroke: colour, "stroke-width": at2(wide) });
  chart.defs.push(make("pattern", { id, width: size, height: size, patternUnits: "userSpaceOnUse" }, mark));
  return `url(#${id})`;
}

// -------------------------------------------------------------------------------------------- legend

// The entries of a legend with their sizes, or nothing where none is shown.
function legendOf(chart) {
  const { data, layout } = chart;
  const named = data.filter((trace) => trace.showlegend !== false && trace.type !== "heatmap");
  const wanted = layout.showlegend ?? (data.filter(({ type }) => type !== "heatmap").length > 1 || named.some(({ showlegend }) => showlegend));
  if (!wanted || !named.length) return null;
  const entries = { orientation: "h", x: 0, y: -0.1, ...layout.legend };
  entries.yanchor ??= "top";
  const size = entries.font?.size ?? 12;
  const items = named.map((trace) => {
    const text = trace.name ?? `trace ${data.indexOf(trace)}`;
    const { width, lines } = measure(text, size, chart.family);
    return { trace, text, lines, wide: width + ITEM.width, tall: Math.max(lines * LINE * size, 16) + 3 };
  });
  const backwards = (entries.traceorder ?? (named.some(({ type, fill }) => (type === "bar" && layout.barmode === "stack") || fill === "tonexty") ? "reversed" : "normal")).includes("reversed");
  const groups = new Map();
  for (const item of items) {
    const key = item.trace.legendgroup ?? item;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  const grouped = named.some(({ legendgroup }) => legendgroup);
  const rows = grouped ? [...groups.values()] : [items];
  if (backwards) rows.reverse().forEach((row) => row.reverse());
  return { entries, size, rows, grouped };
}

// Sets the entries in rows as wide as the plot; gives the legend its own size.
function arranged(legend, wide) {
  const { rows, grouped, entries } = legend;
  const most = Math.max(wide, 2 * ITEM.width);
  const items = rows.flat();
  let [x, y, row, longest] = [0, 0, 0, 0];
  if (entries.orientation === "v") {
    for (const item of items) [item.at, y] = [[0, y + item.tall / 2 + ITEM.gap], y + item.tall];
    [longest, row] = [Math.max(...items.map((item) => item.wide)) + ITEM.gap, 0];
  } else if (grouped) {
    for (const group of rows) {
      const [across, tall] = [Math.max(...group.map((item) => item.wide)), group.reduce((sum, item) => sum + item.tall, 0)];
      if (x > 0 && across + ITEM.gap + x > most) [x, y, row] = [0, y + row + 10, 0];
      let down = 0;
      for (const item of group) [item.at, down] = [[x, y + ITEM.gap + item.tall / 2 + down], down + item.tall];
      [x, row] = [x + across + ITEM.gap, Math.max(row, tall)];
      longest = Math.max(longest, x);
    }
  } else {
    const oneRow = items.reduce((sum, item) => sum + item.wide, (items.length - 1) * ITEM.gap) < most;
    const widest = Math.max(...items.map((item) => item.wide));
    for (const item of items) {
      const across = oneRow ? item.wide : widest;
      if (!oneRow && x + across >= most) [x, y, row] = [0, y + row, 0];
      item.at = [x, y + item.tall / 2 + ITEM.gap];
      [x, row] = [x + across + ITEM.gap, Math.max(row, item.tall)];
      longest = Math.max(longest, x);
    }
  }
  legend.width = Math.ceil(longest);
  legend.height = Math.ceil(y + row + ITEM.pad);
}

function legendPush(chart, size, pad) {
  if (!chart.legend) return [];
  arranged(chart.legend, size.w);
  const { entries: { y, yanchor, yref }, height } = chart.legend;
  if (yref === "container") return [];
  const above = FROM[yanchor];
  return [{ b: [y, height * (1 - above) + pad], t: [y, height * above + pad] }];
}

function entriesOf(chart, size) {
  const { entries, rows, width, height, size: letter } = chart.legend;
  const wholly = entries.yref === "container" ? chart.height * (1 - entries.y) : size.t + size.h * (1 - entries.y);
  const left = Math.max(0, Math.min(size.l + size.w * entries.x, chart.width - width));
  const top = Math.max(0, Math.min(wholly - FROM[entries.yanchor] * height, chart.height - height));
  return rows.flat().map((item) => make("g", { transform: `translate(${at2(left + item.at[0])},${at2(top + item.at[1])})` },
    sampleOf(chart, item.trace),
    chart.text(item.text, ITEM.width, LINE * letter * (0.3 + (1 - item.lines) / 2), letter, "start")));
}

function sampleOf(chart, trace) {
  const first = (value) => (Array.isArray(value) || value?.bdata ? numbers(value)[0] : value);
  const mean = (value) => (typeof value === "object" && value ? numbersOf(value).reduce((sum, one, _, all) => sum + one / all.length, 0) : value);
  const marker = trace.marker ?? {};
  if (trace.type === "bar") {
    const wide = Math.min(mean(marker.line?.width) ?? 0, 5);
    const fill = chart.filled(first(marker.color), first(marker.pattern?.shape), marker.pattern);
    return make("path", { d: "M14,-6h12v12h-12Z", fill, stroke: wide ? first(marker.line?.color) : null, "stroke-width": wide || null });
  }
  const [mode, fill] = [trace.mode ?? "lines", trace.fill];
  const line = mode.includes("lines") && (trace.line?.width ?? 2) > 0;
  const start = mode.includes("markers") || !fill ? "M5,0" : line ? "M5,-2" : "M5,-3";
  const size = Math.min(Math.max(mean(marker.size) ?? 6, 2), 16);
  return [
    fill && make("path", { d: `${start}h30v6h-30Z`, fill: trace.fillcolor }),
    line && make("path", { d: `${start}h30`, ...pen({ ...trace.line, width: Math.min(trace.line?.width ?? 2, 10) }) }),
    mode.includes("markers") && make("path", { transform: "translate(20,0)", ...markOf(marker, 0, size) }),
  ];
}

// ---------------------------------------------------------------------------------- scale of colours

const scaled = ({ type, showscale, z }) => type === "heatmap" && showscale !== false && numbers(z).some((row) => row.some(Number.isFinite));

function scaleTicks(chart, trace) {
  const bar = trace.colorbar ?? {};
  const step = (trace.zmax - trace.zmin) / 5;
  const values = bar.tickvals ?? Array.from({ length: 6 }, (_, i) => +(trace.zmin + i * step).toPrecision(12));
  const said_ = (value) => (bar.tickformat ? formatted(value, bar.tickformat) : plain(value, Math.max(Math.abs(trace.zmin), Math.abs(trace.zmax)), step));
  return values.map((value, i) => ({ value, text: bar.ticktext?.[i] ?? said_(value) }));
}

function scalePush(chart, size, pad) {
  return chart.data.filter(scaled).map((trace) => {
    const words = Math.max(...scaleTicks(chart, trace).map(({ text }) => chart.wide(text, chart.letters)));
    return { r: [1.02, 20 + (trace.colorbar?.thickness ?? 30) + words + pad] };
  });
}

function scaleOf(chart, trace, size) {
  const { thickness = 30, len = 1, outlinewidth = 1, title } = trace.colorbar ?? {};
  const id = `${chart.own}-scale`;
  const titled = title?.text ? 24 : 0;
  const [left, tall] = [size.l + size.w * 1.02 + 10, size.h * len - 20 - titled];
  const top = size.t + (size.h * (1 - len)) / 2 + 10 + titled;
  const stops = trace.colorscale.map(([offset, colour]) => make("stop", { offset, "stop-color": colour }));
  chart.defs.push(make("linearGradient", { id, x1: 0, y1: 1, x2: 0, y2: 0 }, stops));
  const at = (value) => top + tall * (1 - (value - trace.zmin) / (trace.zmax - trace.zmin));
  return [
    make("rect", { x: at2(left), y: at2(top), width: thickness, height: at2(tall), fill: `url(#${id})`, stroke: outlinewidth ? "#444" : null }),
    titled && chart.text(title.text, left, top - 8, 16, "start"),
    scaleTicks(chart, trace).map(({ value, text }) => chart.text(text, left + thickness + 2, at(value) + 0.35 * chart.letters, chart.letters, "start")),
  ];
}

// ---------------------------------------------------------------------------------- shapes and notes

// A place along a reference: shares of the figure's plot or of an axis, or values of an axis.
function along2(ref, letter, value, axes, size) {
  const [id, domain] = ref.split(" ");
  const upright = letter === "y";
  if (id === "paper") return upright ? size.t + size.h * (1 - value) : size.l + size.w * value;
  const axis = axes[id];
  if (domain) return upright ? axis.from + axis.length * (1 - value) : axis.from + axis.length * value;
  return axis.px(value);
}

function shapeOf(chart, shape, axes, size) {
  const ends = (letter) => {
    const ref = shape[`${letter}ref`] ?? letter;
    const sign = letter === "y" ? -1 : 1;
    if (shape[`${letter}sizemode`] !== "pixel") return [0, 1].map((i) => along2(ref, letter, shape[`${letter}${i}`], axes, size));
    const from = along2(ref, letter, shape[`${letter}anchor`], axes, size);
    return [0, 1].map((i) => from + sign * shape[`${letter}${i}`]);
  };
  const [[left, right], [top, foot]] = [ends("x").map(at2), ends("y").map(at2)];
  const { type, fillcolor, line = {} } = shape;
  const wide = line.width ?? 2;
  const look = { stroke: wide ? line.color : null, "stroke-width": wide || null, "stroke-dasharray": dashes(line.dash, wide) };
  const clip = { "clip-path": clipOf(chart, shape, axes) };
  if (type === "line") return make("path", { d: `M${left},${top}L${right},${foot}`, ...look, ...clip });
  return make("path", { d: `M${left},${top}H${right}V${foot}H${left}Z`, fill: fillcolor ?? "none", ...look, ...clip });
}

// What stands at an axis' values ends with that axis.
function clipOf(chart, shape, axes) {
  const own = (letter) => axes[(shape[`${letter}ref`] ?? letter).split(" ")[0]];
  const [x, y] = [own("x"), own("y")];
  if (!x && !y) return null;
  const id = `${chart.own}-s${x?.id ?? ""}${y?.id ?? ""}`;
  if (!chart.defs.some(({ set }) => set.id === id))
    chart.defs.push(make("clipPath", { id }, make("rect", { x: x?.from ?? 0, y: y?.from ?? 0, width: x?.length ?? chart.width, height: y?.length ?? chart.height })));
  return `url(#${id})`;
}

function noteOf(chart, note, axes, size) {
  const [x, y] = ["x", "y"].map((letter) => along2(note[`${letter}ref`] ?? letter, letter,
    axes[note[`${letter}ref`] ?? letter]?.log ? 10 ** note[letter] : note[letter], axes, size));
  const letter = note.font?.size ?? chart.letters;
  const { width, up, down, lines } = measure(note.text, letter, chart.family);
  const [wide, tall] = [width + 4, up + down + (lines - 1) * LINE * letter + 4];
  const left = x - FROM[note.xanchor ?? "center"] * wide;
  const top = Math.round(y - (note.yshift ?? 0) - FROM[note.yanchor ?? "middle"] * tall);
  const align = { left: [0, "start"], center: [0.5, "middle"], right: [1, "end"] }[note.align ?? "center"];
  return chart.text(note.text, left + 2 + align[0] * width, top + 2 + up, letter, align[1], { opacity: note.opacity ?? null });
}
