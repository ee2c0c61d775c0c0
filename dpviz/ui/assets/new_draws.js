// The section of a file that draws new noise: a slider for ε, buttons, chosen images, numbers, and a
// chart with a dot per draw. Returns a function that shows another set of carried numbers.

const [LEAST, DECADES, STEPS] = [0.01, 3, 1000]; // ε from 0.01 to 10, so many places per decade
const MANY = 100;
const AT_ONCE = 10; // draws between two frames
const [HIGH, LEFT, RIGHT, BELOW, ABOVE] = [190, 44, 12, 34, 10]; // px of the chart, and around its area

function newDraws(root, words) {
  const range = part("input", null, { type: "range", className: "own-slider", id: "nd-epsilon" });
  Object.assign(range, { min: 0, max: DECADES * STEPS, step: 1 });
  const output = part("output", null, { htmlFor: "nd-epsilon" });
  const one = part("button", words.draw, { type: "button", className: "nd-main" });
  const many = part("button", words.many, { type: "button" });
  const clear = part("button", words.clear, { type: "button" });
  const numbers = part("div", null, { className: "nd-numbers", role: "status" });
  const images = part("div", null, { className: "nd-images" });
  const chart = part("figure");
  const notes = part("div", null, { className: "nd-notes" });
  const intro = part("p", null, { className: "nd-intro" });
  const label = part("label", words.epsilon, { htmlFor: "nd-epsilon" });
  const rail = holder("nd-rail", range);
  const hand = holder("nd-hand", holder("nd-head", label, output), rail);
  const buttons = holder("nd-buttons", one, many, clear);
  root.append(part("h2", words.title), intro, holder("nd-top", hand, buttons));
  root.append(images, numbers, chart, notes);

  let section, followed, draw, dots, seed, now, marks, current;
  range.oninput = () => show();
  one.onclick = () => {
    another();
    tell();
  };
  many.onclick = () => repeat(MANY);
  clear.onclick = () => {
    dots = [];
    plot();
    show();
  };
  new ResizeObserver(() => section && plot()).observe(chart);
  root.hidden = true;

  function setSlider(value) {
    range.value = Math.round(STEPS * Math.log10(value / LEAST));
  }

  function epsilon() {
    return Number((LEAST * 10 ** (range.value / STEPS)).toPrecision(3));
  }

  // The current draw with the ε of the slider: the same noise at another scale.
  function show() {
    now = { epsilon: epsilon(), seed, ...draw(epsilon(), seed) };
    output.textContent = now.epsilon;
    range.setAttribute("aria-valuetext", `${words.epsilon} ${now.epsilon}`);
    tell();
  }

  function another() {
    seed += 1;
    now = { epsilon: epsilon(), seed, ...draw(epsilon(), seed) };
    dots.push(now);
    marks.append(dotOf(now, 3));
    root.dispatchEvent(new CustomEvent("drawn", { detail: now }));
  }

  function repeat(left) {
    for (const button of [one, many, clear]) button.disabled = left > 0;
    for (let i = 0; i < Math.min(left, AT_ONCE); i++) another();
    tell();
    if (left > 0) requestAnimationFrame(() => repeat(left - AT_ONCE));
  }

  function tell() {
    const same = dots.filter((dot) => dot.epsilon === now.epsilon);
    const mean = same.reduce((sum, dot) => sum + dot.accuracies[0], 0) / same.length;
    const own = words.seed.replace("{seed}", seed);
    numbers.replaceChildren(
      ...section.groups.map((group, i) => tile(group, percent(now.accuracies[i]), own)),
      same.length
        ? tile(words.mean, percent(mean), words.counted.replace("{count}", same.length))
        : tile(words.mean, "–", words.none),
      tile(words.noise, Number(now.scale.toPrecision(3)), section.noise),
    );
    now.chosen.forEach(place);
    const { cx, cy } = centre(now);
    current.setAttribute("cx", cx);
    current.setAttribute("cy", cy);
  }

  // The public image of a class, from the sheet of all of them.
  function place(at, c) {
    const { perRow, rows, labels, kinds } = section.sheet;
    const [column, row] = [at % perRow, Math.floor(at / perRow)];
    const { face, kind } = images.tiles[c];
    face.style.backgroundPosition = `${(100 * column) / (perRow - 1)}% ${(100 * row) / (rows - 1)}%`;
    const [plain, written] = kinds[labels[at]];
    const name = section.names[c];
    kind.textContent = plain === name ? "" : written;
    face.ariaLabel = (plain === name ? words.own : words.shows)
      .replace("{name}", name)
      .replace("{kind}", written);
  }

  function fill() {
    images.hidden = !section.sheet;
    if (!section.sheet) return;
    const { url, perRow, rows, pixels } = section.sheet;
    images.style.setProperty("--sheet", `url(${url})`);
    images.style.setProperty("--size", `${100 * perRow}% ${100 * rows}%`);
    images.style.setProperty("--rendering", pixels ? "pixelated" : "auto");
    images.tiles = section.names.map((name) => {
      const face = part("i", null, { role: "img" });
      const kind = part("small");
      return { face, kind, root: holder("nd-image", part("strong", name), face, kind) };
    });
    images.replaceChildren(...images.tiles.map((one) => one.root));
  }

  const x = (value) =>
    LEFT + ((chart.clientWidth - LEFT - RIGHT) * Math.log10(value / LEAST)) / DECADES;
  const y = (share) => ABOVE + (HIGH - ABOVE - BELOW) * (1 - share);
  const centre = (dot) => ({ cx: x(dot.epsilon), cy: y(dot.accuracies[0]) });
  const dotOf = (dot, r) => shape("circle", { ...centre(dot), r });

  function plot() {
    const wide = chart.clientWidth;
    const svg = shape("svg", { width: wide, height: HIGH, role: "img", "aria-label": words.chart });
    for (const share of [0, 0.5, 1]) {
      svg.append(shape("path", { d: `M${LEFT} ${y(share)}H${wide - RIGHT}`, class: "nd-line" }));
      svg.append(shape("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, percent(share)));
    }
    for (let power = 0; power <= DECADES; power++) {
      const value = Number((LEAST * 10 ** power).toPrecision(1));
      svg.append(shape("text", { x: x(value), y: HIGH - 18, "text-anchor": "middle" }, value));
    }
    svg.append(shape("text", { x: (LEFT + wide - RIGHT) / 2, y: HIGH - 3, "text-anchor": "middle" }, words.epsilon));
    marks = shape("g", { class: "nd-dots" });
    marks.append(...dots.map((dot) => dotOf(dot, 3)));
    current = now ? dotOf(now, 6.5) : shape("circle", { r: 6.5 });
    current.setAttribute("class", "nd-now");
    svg.append(marks, current);
    chart.replaceChildren(svg, part("figcaption", section.caption));
  }

  // The page's own ε slider, if it has one, moves this one too.
  return (newer, pageEpsilon) => {
    root.hidden = !newer;
    if (!newer) return;
    const moved = pageEpsilon > 0 && pageEpsilon !== followed;
    followed = pageEpsilon;
    if (newer === section) {
      if (moved) {
        setSlider(pageEpsilon);
        show();
      }
      return;
    }
    section = newer;
    draw = portableDraws(newer.carried);
    [dots, seed] = [[], 1];
    intro.textContent = newer.intro;
    notes.replaceChildren(...newer.notes.map((sentence) => part("p", sentence)));
    setSlider(moved ? pageEpsilon : newer.epsilon);
    fill();
    plot();
    show();
  };
}

function percent(share) {
  return `${Math.round(100 * share)}%`;
}

function tile(title, value, note) {
  return holder("nd-number", part("span", title), part("strong", value), part("small", note));
}

function holder(name, ...content) {
  const made = part("div", null, { className: name });
  made.append(...content);
  return made;
}

function part(tag, text, more) {
  const made = Object.assign(document.createElement(tag), more);
  if (text !== null && text !== undefined) made.textContent = text;
  return made;
}

function shape(tag, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}
