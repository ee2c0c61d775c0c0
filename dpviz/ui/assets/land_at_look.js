// Scrolls a page whose address names a tab to its tabs: once, when the page is at rest, and never
// after the visitor has begun to do something.

const AGAIN = 100; // ms between looks
const STILL = 5; // looks in a row that find the page at rest and the heading where it was
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];
const OWN = '[class*="st-key-hand-land"]';
const TABS = '[class*="st-key-tabs-"]';
const ways = new WeakMap();

export default function ({ parentElement }) {
  if (!ways.has(parentElement)) ways.set(parentElement, begin());
  return () => {
    ways.get(parentElement)?.();
    ways.delete(parentElement);
  };
}

function begin() {
  const whole = document.documentElement;
  let still = 0;
  let last;

  function end() {
    clearInterval(looking);
    for (const move of MOVES) window.removeEventListener(move, done, true);
  }

  function done() {
    whole.dataset.landed = "";
    end();
  }

  function look() {
    if ("landed" in whole.dataset) return end();
    const app = document.querySelector('[data-testid="stApp"]');
    const own = document.querySelector(OWN);
    const heading = (own && document.querySelector(TABS)) ?? headingBefore(own);
    const top = heading?.getBoundingClientRect().top;
    const rests = heading && app?.dataset.testScriptState === "notRunning" && top === last;
    still = rests ? still + 1 : 0;
    last = top;
    if (still < STILL) return;
    heading.style.scrollMarginTop = "4rem"; // clear of the navigation above
    heading.scrollIntoView();
    done();
  }

  for (const move of MOVES) window.addEventListener(move, done, true);
  const looking = setInterval(look, AGAIN);
  return end;
}

function headingBefore(element) {
  if (!element) return undefined;
  return [...document.querySelectorAll('[data-testid="stHeading"]')]
    .filter((one) => one.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
    .at(-1);
}
