// The front page: pictures and sentences of every place of the slider are here, so that the hand
// moves them without the server. The link keeps the place.

const BEAT = 260; // ms a place while it plays
const RANKS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const scenes = new WeakMap();

export default function ({ data, setTriggerValue, parentElement }) {
  const old = scenes.get(parentElement);
  if (old?.name !== data.name) {
    old?.end();
    scenes.set(parentElement, begin(parentElement.querySelector(".fp"), data, old?.at()));
  }
  scenes.get(parentElement).choose = (name) => setTriggerValue("pictures", name);
  return () => {
    scenes.get(parentElement)?.end();
    scenes.delete(parentElement);
  };
}

// `before`: where the slider stood with other pictures, if there were any.
function begin(root, data, before) {
  const find = (name) => root.querySelector(`.fp-${name}`);
  const range = find("track").querySelector("input");
  const last = data.places.length - 1;
  const scene = {
    name: data.name,
    at: () => data.places[place].key,
    end() {
      clearInterval(beat);
      removeEventListener("pointerdown", take, true);
      removeEventListener("click", take, true);
    },
  };
  let place = data.start;
  let guess = null;
  let seen = false; // the first break was in view
  let moved = false;
  let beat;

  const asked = before ?? new URLSearchParams(location.search).get("privacy");
  const at = data.places.findIndex((one) => one.key === asked);
  if (at >= 0) place = at;
  moved = at >= 0 && at !== data.start;

  const pictures = new Map(data.pictures);
  const tiles = new Map();
  data.groups.forEach(fillGroup);
  root.classList.toggle("fp-long", data.names.some((name) => name.length > 2));
  range.max = last;
  range.ariaLabel = "From more private to more accurate";
  range.oninput = () => {
    stop();
    show(Number(range.value));
  };
  range.onchange = keep;
  find("play").onclick = play;
  find("sets").replaceChildren(
    ...data.sets.map(([name, title]) => {
      const button = element("button", title, { type: "button", ariaPressed: name === data.name });
      button.onclick = () => name !== data.name && scene.choose(name);
      return button;
    }),
  );
  find("marks").replaceChildren(
    ...data.marks.map((at) => {
      const mark = element("i");
      mark.style.left = `${(100 * at) / last}%`;
      return mark;
    }),
  );
  fill(find("used"), data.used.length ? [element("p", data.marked), list(data.used), element("p", data.why)] : []);
  find("used").hidden = !data.used.length;
  if (data.open) find("how").open = true;
  addEventListener("pointerdown", take, true);
  addEventListener("click", take, true);
  show(place);
  keep();
  root.dataset.ready = "";

  function fillGroup({ classes, words, place }) {
    const group = find(place);
    const row = element("div", null, { className: "fp-tiles" });
    group.role = "group";
    group.ariaLabel = words;
    row.append(...classes.map(tileOf));
    group.replaceChildren(row, element("p", words));
  }

  function tileOf(c) {
    const tile = element("button", null, { type: "button", className: "fp-tile" });
    const face = element("span", null, { className: "fp-face" });
    const image = element("img", null, { alt: "" });
    image.style.imageRendering = data.pixels ? "pixelated" : "auto";
    face.append(image, element("i", "✗"));
    const kind = element("span", null, { className: "fp-kind" });
    tile.append(element("span", data.names[c], { className: "fp-name" }), face, kind);
    tile.onclick = () => {
      guess = c;
      tell();
    };
    image.onanimationend = () => tile.classList.remove("fp-new");
    tiles.set(c, { tile, image, kind, row: undefined });
    return tile;
  }

  function show(to) {
    moved ||= to !== place;
    place = to;
    const now = data.places[place];
    if (moved && Math.max(...data.breaks) >= place && Math.max(...data.breaks) >= 0) seen = true;
    for (const [c, own] of tiles) {
      const row = now.rows[c];
      if (own.row !== row) {
        if (own.row !== undefined) own.tile.classList.add("fp-new");
        own.image.src = pictures.get(row);
        own.row = row;
      }
      own.kind.textContent = now.kinds[c];
      own.tile.classList.toggle("fp-lost", now.lost[c]);
      const stands = now.kinds[c] ? `a picture of ${now.kinds[c]} stands for it` : "";
      own.tile.ariaLabel = [data.names[c], stands, now.lost[c] ? "broken" : ""]
        .filter(Boolean)
        .join(", ");
    }
    range.value = place;
    range.setAttribute("aria-valuetext", now.short);
    range.parentElement.style.setProperty("--place", place / last);
    find("eps").textContent = now.eps;
    // for a file, whose own link back to the app goes where the slider is
    root.dispatchEvent(new CustomEvent("place", { detail: place === data.start ? "" : now.key }));
    bold(find("right"), now.right);
    bold(find("guess"), now.guess);
    find("draw").textContent = now.draw;
    if (find("how").open) precise();
    tell();
  }

  // What is asked, or what came of it.
  function tell() {
    const [line, small] = find("question").children;
    small.textContent = seen ? data.inDraws : data.broken;
    const most = Math.max(...data.breaks);
    const first = data.breaks.flatMap((at, c) => (at === most ? [c] : []));
    const names = first.map((c) => data.names[c]).join(" and ");
    const said = guess === null ? "" : data.names[guess];
    let words = "**Which one breaks first** as privacy grows, to the left? Touch it.";
    if (place === data.start)
      words = "Here is next to no privacy; to the left it grows. **Which one breaks first?** Touch it.";
    if (said) words = `You say **${said}**. Pull the slider to the left.`;
    if (seen) {
      words = `First to break: **${names}**.`;
      if (said && first.includes(guess)) words += " You saw it coming.";
      else if (said) words += ` You said ${said}, ${rank(guess)}.`;
      if (first.every((c) => data.rare.includes(c)))
        words += " Few pictures cannot outvote the noise.";
    }
    bold(line, words);
    for (const [c, { tile }] of tiles) {
      tile.ariaPressed = c === guess;
      tile.disabled = seen;
    }
    find("play").textContent = beat ? "◼ Stop" : seen ? "↺ Again" : "▶ Show me";
  }

  function rank(c) {
    if (data.breaks[c] < 0) return "which never breaks";
    const later = data.breaks[c] < place ? ", further left" : "";
    return `which comes ${RANKS[data.breaks.filter((at) => at > data.breaks[c]).length]}${later}`;
  }

  function play() {
    if (beat) return stop(), tell(), keep();
    if (seen) {
      seen = moved = false;
      guess = null;
      place = data.start;
      show(place);
      return keep();
    }
    beat = setInterval(() => {
      show(place - 1);
      if (place === 0 || place <= Math.max(...data.breaks)) {
        stop();
        tell();
        keep();
      }
    }, BEAT);
    tell();
  }

  // The links to Trade-off take along what is set here; the browser follows them by itself.
  function take(event) {
    const way = event.target.closest?.(
      ":is(.st-key-front-head, .st-key-front-doors) a[href*='trade-off']",
    );
    if (!way) return;
    const link = new URL(way.href);
    for (const [key, value] of data.places[place].settings) link.searchParams.set(key, value);
    way.href = link;
    if (event.type === "click") event.stopPropagation();
  }

  function stop() {
    clearInterval(beat);
    beat = undefined;
  }

  function keep() {
    const link = new URL(location.href);
    if (place === data.start) link.searchParams.delete("privacy");
    else link.searchParams.set("privacy", data.places[place].key);
    try {
      if (link.href !== location.href) history.replaceState(history.state, "", link);
    } catch {
      // a frame, or a file of its own, whose address may not change
    }
  }

  // the marks are figures ε, and so is the place while they are told
  find("used").ontoggle = () => (find("eps").hidden = !find("used").open);

  find("how").ontoggle = () => find("how").open && precise();

  function precise() {
    const now = data.places[place];
    const rows = element("dl");
    rows.append(
      ...[...now.card, ...data.card].flatMap(([term, text]) => [
        element("dt", term),
        element("dd", text),
      ]),
    );
    const more = element("p");
    now.links.forEach(([words, href]) =>
      more.append(element("a", words, { href, target: data.target ?? "_self", rel: "noreferrer" }), " "),
    );
    fill(find("how"), [
      ...data.how.map((words) => element("p", words)),
      element("p", now.precise),
      rows,
      element("code", now.command),
      more,
    ]);
  }

  return scene;
}

function fill(details, content) {
  details.querySelector("div").replaceChildren(...content);
}

function element(name, text, more) {
  const made = Object.assign(document.createElement(name), more);
  if (text !== null && text !== undefined) made.textContent = text;
  return made;
}

function list(entries) {
  const all = element("ul");
  for (const { title, promise, unit, source, address } of entries) {
    const item = element("li", `${title}: ${promise}, for ${unit}. `);
    item.append(element("a", source, { href: address, target: "_blank", rel: "noreferrer" }));
    all.append(item);
  }
  return all;
}

function bold(place, words) {
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.replaceChildren(
    ...words.split("**").map((part, i) => (i % 2 ? element("strong", part) : part)),
  );
}
