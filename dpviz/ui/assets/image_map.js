// A map of images on a canvas: points colored by class, thumbnails once few enough are in view. One
// drag pans, or draws a box or a lasso; keys move from image to image. What is selected is sent as ranges of
// positions, such as 3-9,14.

const PAD = 24; // px between the outermost images and the edge
const MAX_ZOOM = 200;
const MAX_THUMBNAILS = 250; // in view
const DOT = 3.2; // px, radius of a point
const REACH = 14; // px around a point within which a pointer finds it
const STEP = 1.6; // zoom of a button or a key
const TAP = 4; // px that a click may move
const PALE = 0.25; // opacity of what is not selected
const maps = new WeakMap();

export default function ({ data, setTriggerValue, parentElement }) {
  const root = parentElement.querySelector(".dp-map");
  if (!maps.has(root)) maps.set(root, begin(root));
  maps.get(root)(data, (ranges) => setTriggerValue("selected", ranges));
}

function unpacked(text, Kind) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Kind(bytes.buffer);
}

function fromRanges(text) {
  const chosen = new Set();
  for (const part of text ? text.split(",") : []) {
    const [low, high = low] = part.split("-").map(Number);
    for (let i = low; i <= high; i++) chosen.add(i);
  }
  return chosen;
}

function toRanges(chosen) {
  const rising = [...chosen].sort((a, b) => a - b);
  const parts = [];
  for (let start = 0; start < rising.length; ) {
    let end = start;
    while (rising[end + 1] === rising[end] + 1) end++;
    parts.push(end > start ? `${rising[start]}-${rising[end]}` : `${rising[start]}`);
    start = end + 1;
  }
  return parts.join(",");
}

function inside(x, y, line) {
  let is = false;
  for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
    const [a, b] = [line[i], line[j]];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) is = !is;
  }
  return is;
}

const corners = (a, b) => [a, { x: a.x, y: b.y }, b, { x: b.x, y: a.y }, a];

function begin(root) {
  const canvas = root.querySelector("canvas");
  const [bar, card, legend] = [".bar", "output", "ul"].map((name) => root.querySelector(name));
  const paint = canvas.getContext("2d");
  const thumbnail = Object.assign(document.createElement("canvas"), { width: 96, height: 96 });
  const [name, note] = ["b", "span"].map((tag) => document.createElement(tag));
  card.append(thumbnail, name, note);
  let data, send, sheet, buttons;
  let picture, pixels, stamps, colours; // of points, in device pixels
  let count = 0;
  let places, labels, rows, x, y; // x, y: px at zoom 1
  let chosen = new Set();
  let sent; // a selection that the server has not answered yet
  let zoom = 1;
  let shift = { x: 0, y: 0 };
  let [width, height, ratio] = [0, 0, 1];
  let mode = "pan";
  let focused = -1;
  let lasso, drag, pinch;
  let waiting = false;
  let shownThumbnails = 0; // px, side of a thumbnail in view; 0 for points
  const pointers = new Map();

  // ------------------------------------------------------------------------------------- drawing

  const screenX = (i) => x[i] * zoom + shift.x;
  const screenY = (i) => y[i] * zoom + shift.y;

  function visible() {
    const found = [];
    for (let i = 0; i < count; i++) {
      const [a, b] = [screenX(i), screenY(i)];
      if (a > -40 && b > -40 && a < width + 40 && b < height + 40) found.push(i);
    }
    return found;
  }

  function draw() {
    waiting = false;
    if (!data || !width) return;
    const seen = visible();
    const isNear = sheet && seen.length <= MAX_THUMBNAILS;
    shownThumbnails = isNear
      ? Math.max(22, Math.min(64, Math.sqrt((width * height) / (2.5 * seen.length + 1))))
      : 0;
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, width, height);
    if (isNear) thumbnails(seen);
    else points(seen);
    paint.globalAlpha = 1;
    if (focused >= 0) ring(focused);
    if (lasso) outline();
    root.dataset.drawn = isNear ? "thumbnails" : "points";
    place();
  }

  // Without a GPU, writing pixels takes an eighth of the time of drawing circles.
  function points(seen) {
    pixels.fill(0);
    const pale = chosen.size ? PALE : 1;
    for (const i of seen) if (!chosen.has(i)) point(i, pale);
    if (chosen.size) for (const i of seen) if (chosen.has(i)) point(i, 1);
    paint.putImageData(picture, 0, 0);
  }

  function point(i, opacity) {
    const left = Math.round(screenX(i) * ratio);
    const top = Math.round(screenY(i) * ratio);
    const { reach, offsets, alphas } = stamps[opacity];
    if (left < reach || left >= picture.width - reach) return;
    if (top < reach || top >= picture.height - reach) return;
    const colour = colours[labels[i] % colours.length];
    const middle = top * picture.width + left;
    for (let k = 0; k < offsets.length; k++) {
      const at = middle + offsets[k];
      if (alphas[k] >= pixels[at] >>> 24) pixels[at] = (alphas[k] << 24) | colour;
    }
  }

  function thumbnails(seen) {
    for (const isChosen of [false, true]) {
      paint.globalAlpha = isChosen || !chosen.size ? 1 : PALE;
      for (const i of seen) if (chosen.has(i) === isChosen) frame(i, isChosen);
    }
  }

  function frame(i, isChosen) {
    const size = shownThumbnails;
    const [left, top] = [screenX(i) - size / 2, screenY(i) - size / 2];
    cut(paint, i, left, top, size);
    paint.strokeStyle = data.colours[labels[i] % data.colours.length];
    paint.lineWidth = isChosen ? 4 : 2;
    paint.strokeRect(left, top, size, size);
  }

  function cut(target, i, left, top, size) {
    const side = data.side;
    target.imageSmoothingEnabled = size < side;
    const column = (i % data.columns) * side;
    const line = Math.floor(i / data.columns) * side;
    target.drawImage(sheet, column, line, side, side, left, top, size, size);
  }

  function ring(i) {
    paint.strokeStyle = ink();
    paint.lineWidth = 2;
    paint.beginPath();
    const radius = shownThumbnails ? shownThumbnails * 0.75 : 8;
    paint.arc(screenX(i), screenY(i), radius, 0, 2 * Math.PI);
    paint.stroke();
  }

  function outline() {
    paint.strokeStyle = ink();
    paint.lineWidth = 2;
    paint.setLineDash([6, 4]);
    paint.beginPath();
    lasso.forEach((point, i) => paint[i ? "lineTo" : "moveTo"](point.x, point.y));
    paint.stroke();
    paint.setLineDash([]);
  }

  const ink = () => getComputedStyle(root).color;

  function redraw() {
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  }

  // the pixels of a disc around its middle, those at the edge covered in part
  function disc(opacity) {
    const made = { reach: Math.ceil(DOT * ratio), offsets: [], alphas: [] };
    for (let dy = -made.reach; dy <= made.reach; dy++) {
      for (let dx = -made.reach; dx <= made.reach; dx++) {
        const alpha = Math.min(1, DOT * ratio + 0.5 - Math.hypot(dx, dy));
        if (alpha <= 0) continue;
        made.offsets.push(dy * picture.width + dx);
        made.alphas.push(Math.round(255 * alpha * opacity));
      }
    }
    return made;
  }

  // #rrggbb as the lower bytes of a pixel: blue, green, red
  function bytes(colour) {
    const number = parseInt(colour.slice(1), 16);
    return ((number & 255) << 16) | (number & 0xff00) | (number >> 16);
  }

  function layOut() {
    [width, height] = [canvas.clientWidth, canvas.clientHeight];
    ratio = Math.min(2, devicePixelRatio || 1);
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    picture = paint.createImageData(canvas.width, canvas.height);
    pixels = new Uint32Array(picture.data.buffer);
    stamps = { 1: disc(1), [PALE]: disc(PALE) };
    colours = data.colours.map(bytes);
    for (let i = 0; i < count; i++) {
      x[i] = PAD + ((width - 2 * PAD) * places[2 * i]) / 65535;
      y[i] = PAD + (height - 2 * PAD) * (1 - places[2 * i + 1] / 65535);
    }
    reset();
  }

  // ---------------------------------------------------------------------------------------- view

  function reset() {
    zoom = 1;
    shift = { x: 0, y: 0 };
    redraw();
  }

  function move(dx, dy) {
    const bound = (value, size) => Math.min(size / 2, Math.max(size / 2 - size * zoom, value));
    shift = { x: bound(shift.x + dx, width), y: bound(shift.y + dy, height) };
    redraw();
  }

  function zoomBy(factor, at) {
    const next = Math.min(MAX_ZOOM, Math.max(1, zoom * factor));
    const change = next / zoom;
    zoom = next;
    if (zoom === 1) return reset();
    move((at.x - shift.x) * (1 - change), (at.y - shift.y) * (1 - change));
  }

  const middle = () =>
    focused >= 0 ? { x: screenX(focused), y: screenY(focused) } : { x: width / 2, y: height / 2 };

  // ----------------------------------------------------------------------------- one image, card

  function nearest(at) {
    const reach = Math.max(REACH, shownThumbnails / 1.4);
    let [best, least] = [-1, reach * reach];
    for (let i = 0; i < count; i++) {
      const [dx, dy] = [screenX(i) - at.x, screenY(i) - at.y];
      if (dx * dx + dy * dy < least) [best, least] = [i, dx * dx + dy * dy];
    }
    return best;
  }

  function focus(i) {
    if (i === focused) return;
    focused = i;
    say();
    redraw();
  }

  function say() {
    card.hidden = focused < 0;
    if (card.hidden) return;
    name.textContent = data.names[labels[focused]];
    const added = chosen.has(focused) ? `, ${data.words.selected}` : "";
    note.textContent = `${data.words.row} ${rows[focused]}${added}`;
    thumbnail.hidden = !sheet;
    if (sheet) cut(thumbnail.getContext("2d"), focused, 0, 0, 96);
  }

  function place() {
    if (card.hidden) return;
    const gap = 14 + shownThumbnails / 2;
    const [atX, atY] = [screenX(focused), screenY(focused)];
    const [w, h] = [card.offsetWidth, card.offsetHeight];
    const left = atX + gap + w > width ? atX - gap - w : atX + gap;
    card.style.left = `${Math.max(0, Math.min(width - w, left))}px`;
    card.style.top = `${canvas.offsetTop + Math.max(0, Math.min(height - h, atY - h / 2))}px`;
  }

  // ------------------------------------------------------------------------------------ selection

  function select(positions) {
    chosen = positions;
    say();
    redraw();
    sent = toRanges(chosen);
    send(sent);
  }

  function toggle(i) {
    const next = new Set(chosen);
    if (!next.delete(i)) next.add(i);
    select(next);
  }

  function close() {
    const found = new Set();
    for (let i = 0; i < count; i++) if (inside(screenX(i), screenY(i), lasso)) found.add(i);
    select(found);
  }

  // -------------------------------------------------------------------------------------- pointers

  function at(event) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left - canvas.clientLeft, y: event.clientY - box.top - canvas.clientTop };
  }

  function spread() {
    const [a, b] = [...pointers.values()];
    return {
      x: (a.x + b.x) / 2,
      y: (a.y + b.y) / 2,
      apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)),
    };
  }

  canvas.onpointerdown = (event) => {
    if (event.button) return;
    canvas.setPointerCapture(event.pointerId);
    const now = at(event);
    pointers.set(event.pointerId, now);
    if (pointers.size === 2) {
      [pinch, drag, lasso] = [spread(), undefined, undefined];
      return redraw();
    }
    drag = { start: now, last: now, moved: false };
    if (mode !== "pan" || event.shiftKey) lasso = [now];
  };

  canvas.onpointermove = (event) => {
    const now = at(event);
    if (!pointers.has(event.pointerId)) return focus(nearest(now));
    pointers.set(event.pointerId, now);
    if (pinch && pointers.size === 2) {
      const next = spread();
      move(next.x - pinch.x, next.y - pinch.y);
      zoomBy(next.apart / pinch.apart, next);
      pinch = next;
    }
    if (!drag) return;
    drag.moved ||= Math.hypot(now.x - drag.start.x, now.y - drag.start.y) > TAP;
    if (lasso && mode === "box") lasso = corners(drag.start, now);
    else if (lasso) lasso.push(now);
    else if (drag.moved) move(now.x - drag.last.x, now.y - drag.last.y);
    drag.last = now;
    redraw();
  };

  canvas.onpointerup = canvas.onpointercancel = (event) => {
    pointers.delete(event.pointerId);
    if (pointers.size < 2) pinch = undefined;
    if (!drag) return;
    const { moved, last } = drag;
    const drawn = lasso;
    drag = undefined;
    if (event.type === "pointercancel") lasso = undefined;
    else if (drawn && moved) close();
    else {
      const found = nearest(last);
      focus(found);
      if (drawn && found >= 0) toggle(found);
    }
    lasso = undefined;
    redraw();
  };

  canvas.onpointerleave = (event) => {
    if (event.pointerType === "mouse" && !pointers.size && root.getRootNode().activeElement !== canvas)
      focus(-1);
  };
  canvas.ondblclick = () => mode === "pan" && reset();
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (event.deltaY > 0 && zoom === 1) return; // the page scrolls
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY * 0.002), at(event));
    },
    { passive: false },
  );

  // ------------------------------------------------------------------------------------------ keys

  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function neighbour([wayX, wayY]) {
    const from = middle();
    let [best, least] = [focused, Infinity];
    for (let i = 0; i < count; i++) {
      const [dx, dy] = [screenX(i) - from.x, screenY(i) - from.y];
      const along = dx * wayX + dy * wayY;
      const beside = Math.abs(dx * wayY) + Math.abs(dy * wayX);
      if (i === focused || along <= 0 || beside > along) continue;
      if (along + beside < least) [best, least] = [i, along + beside];
    }
    return best;
  }

  function nearestToMiddle() {
    let [best, least] = [-1, Infinity];
    for (let i = 0; i < count; i++) {
      const far = Math.hypot(screenX(i) - width / 2, screenY(i) - height / 2);
      if (far < least) [best, least] = [i, far];
    }
    return best;
  }

  function step(way) {
    focus(focused < 0 ? nearestToMiddle() : neighbour(way));
    if (focused < 0) return;
    const over = (value, size) => Math.min(0, value - PAD) + Math.max(0, value - size + PAD);
    move(-over(screenX(focused), width), -over(screenY(focused), height));
  }

  const KEYS = {
    Enter: () => focused >= 0 && toggle(focused),
    " ": () => focused >= 0 && toggle(focused),
    "+": () => zoomBy(STEP, middle()),
    "=": () => zoomBy(STEP, middle()),
    "-": () => zoomBy(1 / STEP, middle()),
    0: reset,
    Escape: () => (chosen.size ? select(new Set()) : focus(-1)),
  };

  canvas.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = event.key in WAYS ? () => step(WAYS[event.key]) : KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };

  // -------------------------------------------------------------------------------------- controls

  function button(parent, label, act, text = label) {
    const made = parent.appendChild(document.createElement("button"));
    Object.assign(made, { type: "button", textContent: text, onclick: act, ariaLabel: label });
    return made;
  }

  function choose(next) {
    mode = root.dataset.mode = next;
    for (const [key, made] of Object.entries(buttons)) made.ariaPressed = key === mode;
  }

  function controls() {
    const words = data.words;
    const group = bar.appendChild(document.createElement("div"));
    group.role = "group";
    group.ariaLabel = words.mode;
    buttons = Object.fromEntries(
      ["pan", "box", "lasso"].map((key) => [key, button(group, words[key], () => choose(key))]),
    );
    button(bar, words.zoom_in, () => zoomBy(STEP, middle()), "+");
    button(bar, words.zoom_out, () => zoomBy(1 / STEP, middle()), "−");
    button(bar, words.reset, reset);
    choose(mode);
  }

  function load() {
    [chosen, sent] = [fromRanges(data.chosen), undefined];
    [places, labels] = [data.places, data.labels].map((text) => unpacked(text, Uint16Array));
    rows = unpacked(data.rows, Uint32Array);
    count = rows.length;
    [x, y] = [new Float64Array(count), new Float64Array(count)];
    canvas.ariaLabel = data.alt;
    sheet = undefined;
    if (data.sheet) {
      const image = new Image();
      image.onload = () => {
        sheet = image;
        say();
        redraw();
      };
      image.src = data.sheet;
    }
    const named = data.names.length <= data.named ? data.names : [];
    legend.replaceChildren(
      ...named.map((label, c) => {
        const item = Object.assign(document.createElement("li"), { textContent: label });
        item.style.setProperty("--colour", data.colours[c % data.colours.length]);
        return item;
      }),
    );
    focus(-1);
    layOut();
  }

  // not in the observer's own turn: the map that is laid out changes what it observes
  new ResizeObserver(() => {
    if (data && canvas.clientWidth && canvas.clientWidth !== width) requestAnimationFrame(layOut);
  }).observe(canvas);

  return (news, sender) => {
    const isSame = data && data.places === news.places && data.sheet === news.sheet;
    [data, send] = [news, sender];
    if (!buttons) controls();
    if (sent === undefined || sent === data.chosen) {
      [chosen, sent] = [fromRanges(data.chosen), undefined];
    }
    if (isSame) return say(), redraw();
    load();
  };
}
