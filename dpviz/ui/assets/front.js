// The front page: images and numbers of every place of the slider are here, so that dragging needs
// no server. The link keeps the place.

const BEAT = 600; // ms per place while it plays
const scenes = new WeakMap();

export default function ({ data, setTriggerValue, parentElement }) {
  const old = scenes.get(parentElement);
  if (old?.name === data.name) old.refresh(data);
  else {
    old?.end();
    scenes.set(parentElement, begin(parentElement.querySelector(".fp"), data, old?.at()));
  }
  scenes.get(parentElement).choose = (name) => setTriggerValue("pictures", name);
  return () => {
    scenes.get(parentElement)?.end();
    scenes.delete(parentElement);
  };
}

// `before`: place of the slider with other images, if any.
function begin(root, data, before) {
  const find = (name) => root.querySelector(`.fp-${name}`);
  const range = find("track").querySelector("input");
  const last = data.places.length - 1;
  const words = Object.fromEntries(data.words);
  const scene = {
    name: data.name,
    refresh(newer) {
      data = newer;
      show(place);
    },
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
  range.ariaLabel = words.slider;
  for (const [name, label] of data.labels)
    (find(name).querySelector("summary") ?? find(name)).textContent = label;
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
    ...data.marks.map(([at, other]) => {
      const mark = element("i", null, { className: other ? "fp-other" : "" });
      mark.style.left = `${(100 * at) / last}%`;
      return mark;
    }),
  );
  find("scale").replaceChildren(
    ...data.scale.map(([at, label]) => {
      const tick = element("span", label);
      tick.style.left = `${(100 * at) / last}%`;
      return tick;
    }),
  );
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
      own.kind.replaceChildren(...label(now.kinds[c], now.lost[c]));
      own.tile.classList.toggle("fp-lost", now.lost[c]);
      const shows = now.kinds[c] ? written(words.shows, { kind: now.kinds[c] }) : "";
      own.tile.ariaLabel = [data.names[c], shows, now.lost[c] ? words.broken : ""]
        .filter(Boolean)
        .join(", ");
    }
    range.value = place;
    range.setAttribute("aria-valuetext", now.short);
    range.parentElement.style.setProperty("--place", place / last);
    find("eps").textContent = now.eps;
    const signs = [
      now.kinds.some((kind, c) => kind && !now.lost[c]) && data.alike,
      now.lost.some(Boolean) && data.broken,
    ];
    find("alike").textContent = signs.filter(Boolean).join(" ");
    // for a file, whose link to the dashboard follows the slider
    root.dispatchEvent(new CustomEvent("place", { detail: place === data.start ? "" : now.key }));
    bold(find("meaning"), now.meaning);
    find("lines").replaceChildren(...now.tiles.map(numberTile));
    if (find("how").open) precise();
    tell();
  }

  // What an image shows; the sign of a look-alike, and a word that phones have no room for.
  function label(kind, isLost) {
    const letter = data.pixels ? kind.lastIndexOf(" ") + 1 : 0;
    const word = element("span", kind.slice(0, letter), { className: "fp-word" });
    return [kind && !isLost ? "≈ " : "", word, kind.slice(letter)];
  }

  // The question, or its result.
  function tell() {
    const runs = element("span", seen ? data.inRuns : "", { className: "fp-in-runs" });
    find("draw").replaceChildren(data.places[place].draw, " ", runs);
    find("draw").classList.toggle("fp-only-runs", !data.places[place].draw);
    find("draw").hidden = !find("draw").textContent.trim();
    const most = Math.max(...data.breaks);
    const first = data.breaks.flatMap((at, c) => (at === most ? [c] : []));
    const fields = {
      noun: data.noun,
      names: first.map((c) => data.names[c]).join(words.and),
      guess: guess === null ? "" : data.names[guess],
      rank: guess === null ? "" : data.ranks[data.breaks.filter((at) => at > data.breaks[guess]).length],
    };
    const sentences = [written(words[which(first)], fields)];
    if (seen && first.every((c) => data.rare.includes(c))) sentences.push(words.reason);
    bold(find("question"), sentences.join(" "));
    for (const [c, { tile }] of tiles) {
      tile.ariaPressed = c === guess;
      tile.disabled = seen;
    }
    find("play").textContent = beat ? words.stop : seen ? words.again : words.play;
  }

  // Name of the sentence.
  function which(first) {
    if (!seen) return guess !== null ? "guessed" : "start";
    if (guess === null) return "seen";
    if (first.includes(guess)) return "correct";
    if (data.breaks[guess] < 0) return "never";
    return data.breaks[guess] < place ? "later" : "wrong";
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

  // Links to Trade-off take these settings along; the browser follows them by itself.
  function take(event) {
    const way = event.target.closest?.(
      ".st-key-front-doors a[href*='trade-off']",
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

  find("used").ontoggle = () => {
    const entries = [element("p", data.marked), list(data.used, words.deployment), element("p", data.why)];
    fill(find("used"), find("used").open ? entries : []);
  };

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

function list(entries, template) {
  const all = element("ul");
  for (const { source, address, ...fields } of entries) {
    const item = element("li", `${written(template, fields)} `);
    item.append(element("a", source, { href: address, target: "_blank", rel: "noreferrer" }));
    all.append(item);
  }
  return all;
}

// A template with its fields filled in.
function written(template, fields) {
  return template.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}

function numberTile([label, value, note, runs]) {
  const tile = element("div", null, { className: "fp-number" });
  tile.append(element("span", label), element("strong", value), element("small", note), element("small", runs));
  return tile;
}

function bold(place, words) {
  if (place.dataset.words === words) return;
  place.dataset.words = words;
  place.replaceChildren(
    ...words.split("**").map((part, i) => (i % 2 ? element("strong", part) : part)),
  );
}
