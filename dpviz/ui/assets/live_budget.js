// Ties the frames of a picture to the budget: it follows the budget's slider while that is dragged,
// and has a slider of its own below it, whose handle stands under the line that marks the budget.
// When the hand lets go of that, or playing ends, the server is told where it stands.
// The page's answer follows as well, in the server's own words for each budget.
// A picture is a Plotly chart with frames, or an element ".frames" whose children are shown one by
// one.

const INSTANT = {
  mode: "immediate",
  transition: { duration: 0 },
  frame: { duration: 0, redraw: false },
};
const LOOK_AGAIN = 60; // ms between looks for a picture that was drawn anew
const BEAT = 450; // ms a frame while it plays
const RESTS = 150; // ms without a move after which Plotly is told
const THUMB = 16; // px, as in live_budget.css
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -3, PageUp: 3 };
const LABELED = /^(0\.0*1|10*)$/; // budgets whose numbers stand below a rail without an axis
const ENDS = { Home: -Infinity, End: Infinity };
const hands = new WeakMap();
const refined = new WeakMap(); // by chart: the newer numbers put into it, as text and as data

export default function ({ data, setTriggerValue, parentElement }) {
  if (!hands.has(parentElement))
    hands.set(parentElement, begin(parentElement, data.slides ? pages() : plotly()));
  const hand = hands.get(parentElement);
  hand.told(data, (place) => setTriggerValue("budget", data.budgets[place]));
  return () => {
    hand.end();
    hands.delete(parentElement);
  };
}

function begin(parent, picture) {
  const [name, range, play, rail, stops, label] = ["b", "input", "button", ".rail", "i", "span"].map(
    (one) => parent.querySelector(one),
  );
  let data, tell, element, wanted;
  let held = false; // the picture's slider is in the hand, or it plays
  let under; // the place that the hand has led it to
  let beat; // while it plays
  let ahead = null; // a place that the server has not answered yet
  let control; // the place that the budget's own slider showed last
  let laid = ""; // where the slider was laid last
  const inUse = parent.querySelector(".promises");
  const promises = realPromises(
    ...[".row", ".told"].map((one) => inUse.querySelector(one)),
  );

  function show(place) {
    under = place;
    range.value = picture.places(element, data.budgets)[place];
    label.textContent = name.dataset.budget = data.frames[place];
    label.style.left = alongRail(share(picture.places(element, data.budgets)[place]));
    range.setAttribute("aria-valuetext", data.frames[place]);
    if (picture.standing(element) !== place) picture.show(element, place, held);
  }

  const share = (at) => (at - range.min) / (range.max - range.min);

  function lead(place) {
    held = true;
    show(place);
    voice(place);
  }

  function leave() {
    stop();
    held = false;
    picture.rest(element);
    if (under === wanted) return;
    locally(under);
    tell(under);
  }

  function locally(place) {
    wanted = place;
    ahead = place === data.now ? null : place;
    voice(place);
  }

  function voice(place = wanted) {
    if (!isCurrent(data.settings)) return say(data.answer);
    say(data.answer, data.words[place], place !== data.now);
    fill(".dp-tiles", data.tiles?.[place], place !== data.now);
    fill(".dp-finding", data.findings?.[place], place !== data.now);
  }

  function stop() {
    clearInterval(beat);
    beat = undefined;
    play.textContent = "▶ Play";
  }

  function sweep() {
    let place = data.frames.length;
    const next = () => (place === 0 ? leave() : lead(--place));
    play.textContent = "◼ Stop";
    beat = setInterval(next, BEAT);
    next();
  }

  // The handle of a slider stands half its width within the slider's ends.
  function lay() {
    const { least, most, left, width } = picture.span(element, data.budgets);
    const room = width && `${left - parent.firstElementChild.getBoundingClientRect().left} ${width}`;
    const now = [least, most, room, data.frames, data.marks.map((mark) => mark.other)].join();
    if (now === laid) return;
    laid = now;
    [range.min, range.max] = [least, most];
    parent.querySelector(".hand").classList.toggle("under", Boolean(room));
    const [from, long] = room ? room.split(" ").map(Number) : [];
    rail.style.marginLeft = room ? `${from - THUMB / 2}px` : "";
    rail.style.width = room ? `${long + THUMB}px` : "";
    const shares = picture.places(element, data.budgets).map(share);
    const ends = [0, shares.length - 1];
    const ticks = shares.map((at, i) => {
      const tick = document.createElement("b");
      tick.style.left = `${100 * at}%`;
      const named = !room && (ends.includes(i) || LABELED.test(data.frames[i]));
      if (named) tick.dataset.budget = data.frames[i];
      return tick;
    });
    stops.replaceChildren(...ticks.filter((_, i) => shares[i] >= 0 && shares[i] <= 1));
    inUse.querySelector("p").textContent = data.why;
    inUse.querySelector("small").textContent = data.marks_key;
    inUse.querySelector(".row").style.marginLeft = room ? `${from}px` : "";
    if (room) promises.lay(data.marks, least, most, long, data.other_unit);
    show(under);
  }

  function find() {
    const found = picture.find(`.st-key-${data.chart}`);
    // the picture may still be on its way to what is wanted
    voice(held ? under : wanted);
    if (!found) return;
    if (found !== element) {
      stop();
      element = found;
      held = false;
      picture.attach(element, data.frames);
      show(wanted);
    }
    if (!held && picture.refine(element, data.refined)) show(wanted);
    lay();
  }

  range.oninput = () => {
    stop();
    const apart = picture.places(element, data.budgets).map((at) => Math.abs(at - range.value));
    lead(apart.indexOf(Math.min(...apart)));
  };
  range.onchange = leave;
  range.onkeydown = (event) => {
    const by = KEYS[event.key] ?? ENDS[event.key];
    if (by === undefined || !element) return;
    event.preventDefault();
    stop();
    lead(Math.min(Math.max(under + by, 0), data.frames.length - 1));
    leave();
  };
  play.onclick = () => (beat ? leave() : element && sweep());

  const watch = new MutationObserver((changes) => {
    // Only when the control itself moves: whatever is drawn anew while the server computes must not
    // bring an old value back.
    const own = changes.find((change) => change.target.closest(`.st-key-${data.control}`));
    const place = data.frames.indexOf(own?.target.getAttribute("aria-valuetext"));
    if (place < 0 || place === control) return;
    control = place;
    if (place === wanted || (held && !beat)) return;
    stop();
    held = false;
    locally(place);
    if (element) show(place);
  });
  watch.observe(document.body, {
    subtree: true,
    attributes: true,
    attributeFilter: ["aria-valuetext"],
  });
  const looking = setInterval(find, LOOK_AGAIN);

  return {
    told(news, teller) {
      data = news;
      name.textContent = data.label;
      label.dataset.symbol = data.symbol;
      tell = teller;
      control ??= data.now;
      if (ahead === null || ahead === data.now) {
        ahead = null;
        wanted = data.now;
      }
      find();
      if (element && !held) show(wanted);
    },
    end() {
      watch.disconnect();
      clearInterval(looking);
      stop();
      say(data.answer);
      picture.end?.();
    },
  };
}

// The place of a share of the rail, which begins and ends half a thumb within its box.
const alongRail = (share) => `calc(${THUMB / 2}px + ${share} * (100% - ${THUMB}px))`;

// Until the server has new answers, those in the browser may belong to earlier settings, such as
// another data set. The page names its settings beside the controls, before it computes anything.
function isCurrent(settings) {
  const shown = document.querySelector("[data-settings]")?.dataset.settings;
  return !settings || !shown || shown === settings;
}

// Shows the server's HTML for another budget in place of its own, until that says the same.
const filled = new WeakSet(); // elements whose content is not the server's

function fill(selector, html, behind) {
  const own = document.querySelector(`.stMainBlockContainer ${selector}`);
  if (!own || html === undefined || (!behind && !filled.has(own))) return;
  filled.add(own);
  const wanted = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
  if (wanted.innerHTML !== own.innerHTML) own.replaceChildren(...wanted.childNodes);
}

// Lays these words over the server's own answer until that says the same. No words: takes them
// away.
// Where none lie there yet, they are laid only if the server is behind.
function say(answer, words, behind) {
  const own = [
    ...document.querySelectorAll(`.st-key-${answer} [data-testid="stMarkdownContainer"]`),
  ].at(-1);
  if (!own) return;
  const parts = words?.split("**").map((part) => part.replace(/\\(.)/g, "$1"));
  const over = own.querySelector(".dp-ahead");
  if (!over && !behind) return;
  const written = [...own.children]
    .filter((child) => child !== over)
    .map((child) => child.textContent)
    .join("");
  const needed = parts && parts.join("") !== written;
  own.toggleAttribute("data-ahead", Boolean(needed));
  if (!needed) return over?.remove();
  if (over?.textContent === parts.join("")) return;
  const line = over ?? own.appendChild(document.createElement("p"));
  line.className = "dp-ahead";
  line.replaceChildren(
    ...parts.map((part, i) =>
      i % 2 ? Object.assign(document.createElement("strong"), { textContent: part }) : part,
    ),
  );
}

// While the hand moves, frames are drawn by drawFrame; Plotly itself is told where it rests, so that
// what it knows of the chart is what is shown.
function plotly() {
  let names;
  let drawn; // the place that was drawn and that Plotly does not know of yet
  let soon;

  async function tell(chart, place) {
    clearTimeout(soon);
    try {
      await window.Plotly.animate(chart, [names[place]], INSTANT);
    } catch {
      // another frame is on its way, or the chart is gone
    }
    if (drawn === place) drawn = undefined;
    else if (drawn !== undefined) drawFrame(chart, names[drawn]); // the hand has moved on
  }

  const across = (chart) => layoutOf(chart).xaxis;
  const overBudget = (chart) => chart.layout?.meta?.named && across(chart).type === "log";

  return {
    find(within) {
      const found = document.querySelector(`${within} .js-plotly-plot`);
      return found?.on && isDrawn(found) && framesOf(found)?.length ? found : null;
    },
    standing: (chart) => drawn ?? chart.data[framesOf(chart)[0].traces[0]]?.meta,
    places: (chart, budgets) => budgets.map(overBudget(chart) ? Math.log10 : (_, i) => i),
    span(chart, budgets) {
      if (!overBudget(chart)) return { least: 0, most: budgets.length - 1 };
      const axis = across(chart);
      const left = chart.getBoundingClientRect().left + offsetOf(axis);
      return { least: axis.range[0], most: axis.range[1], left, width: lengthOf(axis) };
    },
    show(chart, place, held) {
      clearTimeout(soon);
      if (!drawFrame(chart, names[place])) return tell(chart, place);
      drawn = place;
      if (!held) soon = setTimeout(tell, RESTS, chart, place);
    },
    rest(chart) {
      if (chart && drawn !== undefined) tell(chart, drawn);
    },
    attach(_, frames) {
      names = frames;
      drawn = undefined;
    },
    // Puts newer numbers into a chart of the same lines, whose axes stay as they are, or without a
    // text its own again. Streamlit draws its own when the window changes, hence the look at what
    // is there.
    refine(chart, text) {
      const kept = refined.get(chart);
      const own = kept && kept.data === chart.data ? kept.own : numbersOf(chart);
      if (text ? kept?.text === text && kept.data === chart.data : !kept || own.data === chart.data)
        return false;
      const { data, frames, annotations, shapes } = text ? numbersIn(text) : own;
      refined.set(chart, { text, data, own });
      clearTimeout(soon);
      drawn = undefined;
      const layout = { ...chart.layout, annotations, shapes };
      window.Plotly.react(chart, { data, layout, config: { ...configOf(chart) }, frames });
      return true;
    },
    end: () => clearTimeout(soon),
  };
}

function numbersOf(chart) {
  const { annotations, shapes } = chart.layout;
  return { data: chart.data, frames: framesOf(chart), annotations, shapes };
}

function numbersIn(text) {
  const { data, layout, frames } = JSON.parse(text);
  return { data, frames, annotations: layout.annotations, shapes: layout.shapes };
}

function pages() {
  return {
    find: (within) => document.querySelector(`${within} .frames`),
    standing: (root) => [...root.children].findIndex((page) => page.classList.contains("on")),
    places: (_, budgets) => budgets.map((_, i) => i),
    span: (_, budgets) => ({ least: 0, most: budgets.length - 1 }),
    show: (root, place) =>
      [...root.children].forEach((page, i) => page.classList.toggle("on", i === place)),
    attach() {},
    refine: () => false,
    rest() {},
  };
}
