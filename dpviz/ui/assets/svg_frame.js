// What stands around the traces in a chart of figure_svg.js: margins, grid, ticks and titles, each
// where Plotly has it.

const CAP = 0.7; // height of a capital, in its letters' size
const LEAST = 64; // px of the plot that margins leave

// All that is seen of a figure: a list of elements, and what stands beside the pointer where.
function drawn(figure, { dark, width }, own, family) {
  const theme = THEMES[dark ? "dark" : "light"];
  const { data: all, layout, below } = shown(figure, width);
  const data = all.filter((trace) => trace.visible !== false && (numbers(trace.x)?.length || numbers(trace.y)?.length));
  const chart = { data, layout, width, height: layout.height ?? 450, theme, family, own, letters: layout.font?.size ?? 13, hits: [], defs: [] };
  chart.wide = (text, size) => measure(String(text), size, family).width;
  chart.text = (text, x, y, size, anchor, set = {}) => textOf(text, x, y, size, anchor, set);
  chart.inked = (colour) => (dark ? lighter(colour) : colour);
  chart.filled = (colour, shape, look) => (shape ? patterned(chart, colour, shape, look) : colour);
  chart.haloed = (trace) => Boolean(layout.meta?.panels || (layout.meta?.named && trace === data.at(-1)));
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

// A colour of words on a white page, for a dark one: as line_names.css has it.
function lighter(colour) {
  const channels = colour.match(/[0-9a-f]{2}/gi).map((hex) => Math.min(255, Math.round(1.6 * parseInt(hex, 16))));
  return `rgb(${channels})`;
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
  const { lines, moving } = layout.meta;
  const names = data.at(-moving - 1);
  const below = (chart) => numbersOf(names.text).map((name, i) => {
    const trace = data[lines[i]];
    const mark = /markers/.test(trace.mode) && make("path", { transform: "translate(18,8)", ...markOf(markerOf(trace), 0) });
    const line = make("path", { d: "M1,8H35", ...pen(trace.line) });
    const text = bare(name).replace(/\s+/g, " ").trim();
    return { mark: mark || null, line, text };
  });
  return { data: data.filter((trace) => trace !== names), below,
    layout: { ...layout, shapes: layout.shapes.slice(2 * lines.length), annotations: (layout.annotations ?? []).filter(({ name }) => !moving || name === "level"),
      margin: { ...layout.margin, r: BESIDE } } };
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
    const least = Math.max(2, Math.min(LEAST, whole - base[one] - base[other]));
    const over = (found[one] + found[other]) / Math.max(whole - least, 1);
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
  const wanted = axis.title.font?.size ?? 14;
  const wide = chart.wide(title, wanted);
  const size = axis.upright ? wanted : wanted * Math.min(1, chart.width / wide);
  const half = axis.upright ? 0 : (wide * size) / wanted / 2; // words of a narrow chart stay within it
  const middle = Math.max(half, Math.min(axis.from + axis.length / 2, axis.upright ? Infinity : chart.width - half));
  const away = (axis.labels.length ? axis.reach : 0.5) + axis.standoff;
  if (!axis.upright) return [...parts, chart.text(title, middle, clear(chart, axis, title, size, edge, edge + away + CAP * size), size, "middle")];
  const { up, down } = measure(title, size, chart.family);
  const beside = axis.labels.filter((tick) => Math.abs(axis.at(tick.line) - middle) < (chart.wide(title, size) + axis.size) / 2);
  const reach = Math.max(0, ...beside.map((tick) => measure(tick.text, letters(axis, tick), chart.family).width));
  const left = Math.min(edge - away - (CAP * size) / 2, edge - PAD - axis.out - reach - down);
  const x = right ? Math.min(edge + away + CAP * size, chart.width - down) : Math.max(left, up);
  return [...parts, chart.text(title, x, middle, size, "middle", { transform: `rotate(-90,${at2(x)},${at2(middle)})` })];
}

// Where a title below ticks stands: under their words where it would meet them, and within the chart.
function clear(chart, axis, title, size, edge, foot) {
  const { width, up, down } = measure(title, size, chart.family);
  const half = width / 2;
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
