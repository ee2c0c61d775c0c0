// Draws one of the app's own figures, as Plotly has it in data and layout, as SVG: for a page that
// works from a disk. With the files svg_*.js in one function, as plots/kit/as_svg.py has them in a
// row. Every draw makes a light tree of all that is seen; only what differs from the last one touches
// the page. A trace that is the very same object as before is taken to be unchanged.

const NARROW = 640; // px below which names stand under a chart and panels below each other
const BESIDE = 14; // px right of a plot without names
const LINE = 1.3; // of letters, in their size
const NEAR = 24; // px from the pointer within which a point is told
const SVG = "http://www.w3.org/2000/svg";
const THEMES = {
  light: { ink: "#1F2430", paper: "#FFFFFF", line: "#e6eaf1", edge: "rgba(31,36,48,0.2)" },
  dark: { ink: "#E6E8EE", paper: "#14171F", line: "#31333F", edge: "rgba(230,232,238,0.2)" },
};
let drawings = 0; // charts of the page, for names within it that no two share

function figureSvg(parent, figure, how) {
  const root = { dom: parent.appendChild(document.createElementNS(SVG, "svg")), set: {}, inside: [] };
  const own = `f${++drawings}`;
  let chart, list;
  root.dom.setAttribute("class", "figure-svg");
  root.dom.setAttribute("role", "img");

  function draw(news, wanted = {}) {
    how = { ...how, ...wanted };
    chart = drawn(news, how, own, getComputedStyle(parent).fontFamily);
    const { width, height } = chart;
    patch(root, make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-label": how.alt ?? "" }, chart.inside));
    names(chart.below);
  }

  function names(below) {
    if (!below) return (list?.remove(), (list = null));
    list ??= parent.appendChild(document.createElement("ul"));
    list.className = "figure-names";
    list.replaceChildren(...below.map(({ mark, line, text }) => {
      const row = document.createElement("li");
      const svg = row.appendChild(document.createElementNS(SVG, "svg"));
      svg.setAttribute("width", 36);
      svg.setAttribute("height", 16);
      patch({ dom: svg, set: {}, inside: [] }, make("svg", { "aria-hidden": "true" }, line, mark));
      row.appendChild(document.createElement("span")).textContent = text;
      return row;
    }));
  }

  function tell(event) {
    const box = root.dom.getBoundingClientRect();
    const at = [event.clientX - box.left, event.clientY - box.top];
    patch(root, { ...root, inside: [...chart.inside, bubble(chart, nearest(chart.hits, at))] });
  }
  root.dom.addEventListener("pointermove", tell);
  root.dom.addEventListener("pointerdown", tell);
  root.dom.addEventListener("pointerleave", () => patch(root, { ...root, inside: chart.inside }));
  draw(figure);
  return { draw, svg: root.dom };
}

// ------------------------------------------------------------------------- a tree and what it changes

// An element to be: its attributes, those that are null left out, and what is in it.
function make(tag, set = {}, ...inside) {
  return { tag, set, inside: inside.flat(Infinity).filter(Boolean) };
}

function patch(was, now) {
  for (const name in now.set) {
    const value = now.set[name] ?? null;
    if (value === (was.set[name] ?? null)) continue;
    if (value === null) was.dom.removeAttribute(name);
    else was.dom.setAttribute(name, value);
  }
  for (const name in was.set) if (!(name in now.set)) was.dom.removeAttribute(name);
  const [old, fresh] = [was.inside, now.inside];
  const inside = fresh.map((one, i) => fitted(was.dom, old[i], one));
  for (const extra of old.slice(fresh.length)) extra.dom.remove();
  was.set = now.set;
  was.inside = inside;
  was.made = now;
  return was;
}

function fitted(dom, old, one) {
  if (typeof one === "string") {
    if (old?.text === one) return old;
    const leaf = { text: one, dom: old && !old.tag ? old.dom : document.createTextNode(one) };
    leaf.dom.data = one;
    return put(dom, old, leaf);
  }
  if (old?.made === one) return old;
  if (old && old.tag === one.tag) return patch(old, one);
  const made = { tag: one.tag, dom: document.createElementNS(SVG, one.tag), set: {}, inside: [] };
  return put(dom, old, patch(made, one));
}

function put(dom, old, now) {
  if (!old) dom.append(now.dom);
  else if (old.dom !== now.dom) old.dom.replaceWith(now.dom);
  return now;
}

// ------------------------------------------------------------------------------------------- letters

const MARKED = /<(\/?)(b|i|sub|sup)>|<br ?\/?>|<span style="color:(#[0-9a-fA-F]{6})">|<\/span>|&(lt|gt|amp|quot|nbsp|#39|#x27);/g;
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: "\u00a0", "#39": "'", "#x27": "'" };

// Words with Plotly's marks, as lines of pieces; every other mark stays as it is written.
function linesOf(text) {
  const lines = [[]];
  const on = { b: false, i: false, sub: false, sup: false, ink: null };
  let from = 0;
  const add = (words) => {
    const last = lines.at(-1).at(-1);
    if (words && last && ["b", "i", "sub", "sup", "ink"].every((mark) => last[mark] === on[mark])) last.words += words;
    else if (words) lines.at(-1).push({ words, ...on });
  };
  for (const found of text.matchAll(MARKED)) {
    add(text.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[2]) on[found[2]] = !found[1];
    else if (found[4]) add(ENTITIES[found[4]]);
    else if (found[0].startsWith("<br")) lines.push([]);
    else on.ink = found[3] ?? null;
  }
  add(text.slice(from));
  return lines;
}

const bare = (text) => linesOf(text).map((line) => line.map(({ words }) => words).join("")).join(" ");

const canvas = document.createElement("canvas").getContext("2d");
const measured = new Map();

// Width of words in pixels, of the longest line, and how far letters reach above and below theirs.
function measure(text, size, family) {
  const key = `${size} ${family} ${text}`;
  if (!measured.has(key)) {
    if (measured.size > 5000) measured.clear();
    let [up, down] = [0, 0];
    const widths = linesOf(text).map((line) => line.reduce((sum, piece) => {
      const letters = size * (piece.sub || piece.sup ? 0.7 : 1);
      canvas.font = `${piece.i ? "italic " : ""}${piece.b ? "bold " : ""}${letters}px ${family}`;
      const found = canvas.measureText(piece.words);
      up = Math.max(up, Math.round(found.fontBoundingBoxAscent));
      down = Math.max(down, Math.round(found.fontBoundingBoxDescent));
      return sum + found.width;
    }, 0));
    measured.set(key, { width: Math.max(...widths), up, down, lines: widths.length });
  }
  return measured.get(key);
}

// A text element, its first line's foot at a place.
function textOf(text, x, y, size, anchor, set) {
  const lines = linesOf(String(text));
  const [left, top] = [at2(x), at2(y)];
  const pieces = (line) => line.flatMap(({ words, b, i, sub, sup, ink }) => {
    if (!(b || i || sub || sup || ink)) return words;
    const raised = sub ? 0.3 : sup ? -0.6 : 0;
    const own = make("tspan", { fill: ink, "font-weight": b ? "bold" : null, "font-style": i ? "italic" : null,
      "font-size": raised ? "70%" : null, dy: raised ? `${raised}em` : null }, words);
    return raised ? [own, make("tspan", { dy: `${-0.7 * raised}em` }, "\u200b")] : own;
  });
  const inside = lines.length > 1
    ? lines.map((line, i) => make("tspan", { x: left, y: at2(y + i * LINE * size) }, pieces(line))) : pieces(lines[0]);
  return make("text", { x: left, y: top, "font-size": size, "text-anchor": anchor === "start" ? null : anchor, ...set }, inside);
}

// ------------------------------------------------------------------------------- beside the pointer

function nearest(hits, [x, y]) {
  let [best, least] = [null, NEAR];
  for (const hit of hits) {
    const inside = hit.box && x >= hit.box[0] && x <= hit.box[2] && y >= hit.box[1] && y <= hit.box[3];
    const away = inside ? 0 : hit.box ? Infinity : Math.hypot(hit.at[0] - x, hit.at[1] - y);
    if (away < least || (inside && !best)) [best, least] = [hit, away];
  }
  return best;
}

function bubble(chart, hit) {
  if (!hit) return null;
  const size = 12;
  const text = hoverWords(hit).join("<br>");
  const { width, lines } = measure(text, size, chart.family);
  const [wide, tall] = [width + 16, lines * LINE * size + 10];
  const left = Math.max(0, Math.min(hit.at[0] + 12, chart.width - wide));
  const top = hit.at[1] - tall - 8 < 0 ? hit.at[1] + 12 : hit.at[1] - tall - 8;
  return make("g", { class: "bubble", fill: chart.theme.ink, "pointer-events": "none" },
    make("rect", { x: at2(left), y: at2(top), width: at2(wide), height: at2(tall), rx: 3, fill: chart.theme.paper, stroke: chart.theme.edge }),
    chart.text(text, left + 8, top + 5 + size, size, "start"));
}
