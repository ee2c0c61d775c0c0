// A step of a lesson: scrolls to the element of its text, stores progress and results, and turns the
// steps of a presentation by the arrow keys.

const LOOKS = 100; // ms between looks for what is named
const PATIENCE = 60000; // ms for which it is kept in view while the page above it still grows
const OWN = `input, textarea, select, [contenteditable], [role="slider"], [role="radiogroup"],
  [role="tablist"], [role="listbox"], [role="combobox"], [role="menu"]`;
const HANDS = ["wheel", "pointerdown", "keydown", "touchmove"];
let shown; // the step that was brought into view
let answered; // the step whose drawing was answered

export default function ({ data, parentElement }) {
  takeDown(data);
  // what lies over the page has its ground
  const ground = getComputedStyle(document.querySelector(".stApp")).backgroundColor;
  document.documentElement.style.setProperty("--dp-ground", ground);
  const step = `${data.lesson} ${data.step}`;
  if (shown !== step) {
    shown = step;
    if (data.at) bring(data.at);
  }
  if (data.step in data.came && answered !== step) {
    answered = step;
    verdict();
  }
  if (!data.slides) return;
  const turn = (event) => slides(event);
  document.addEventListener("keydown", turn);
  return () => document.removeEventListener("keydown", turn);
}

function takeDown(data) {
  const all = progress();
  const own = (all.lessons[data.lesson] ??= { seen: [], came: {} });
  if (!own.seen.includes(data.step)) own.seen.push(data.step);
  own.done ||= data.step === data.of - 1;
  Object.assign(own.came, data.came);
  all.last = { lesson: data.lesson, step: data.step, link: data.link };
  keep(all);
}

// Scroll to the verdict on a drawing.
function verdict() {
  document.querySelector(".st-key-lesson-before")?.scrollIntoView({ block: "nearest" });
}

function bring(key) {
  const begun = Date.now();
  let opened = false;
  const end = () => {
    clearInterval(looking);
    HANDS.forEach((hand) => removeEventListener(hand, end, true));
  };
  const look = () => {
    const named = document.querySelector(`.st-key-${CSS.escape(key)}`);
    if (Date.now() - begun > PATIENCE) return end();
    if (!named?.offsetHeight) return;
    const fold = named.closest("details:not([open])") ?? named.querySelector("details");
    if (!opened && fold && !fold.open) fold.querySelector("summary").click();
    opened = true;
    if (wide() && !seen(named)) named.scrollIntoView({ block: "start" });
  };
  const looking = setInterval(look, LOOKS);
  // whoever moves the page decides what is in view
  HANDS.forEach((hand) => addEventListener(hand, end, true));
}

// Whether the explanation is beside the chart. In narrow windows it is above the chart: no scrolling.
const wide = () => matchMedia("(min-width: 1100px)").matches;

// Whether an element, or as much of it as fits, is below the page's head.
function seen(named) {
  const box = named.getBoundingClientRect();
  const head = document.querySelector('[data-testid="stHeader"]')?.getBoundingClientRect();
  const top = head?.height ? head.bottom : 0;
  return box.top >= top - 1 && (box.bottom <= innerHeight + 1 || box.top <= top + 24);
}

function slides(event) {
  const way = {
    ArrowRight: "next",
    PageDown: "next",
    ArrowLeft: "back",
    PageUp: "back",
  }[event.key];
  const held = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
  if (!way || held || event.defaultPrevented || event.composedPath()[0].closest?.(OWN)) return;
  const link = document.querySelector(`.st-key-lesson .dp-${way}`);
  if (!link) return;
  event.preventDefault();
  link.click();
}
