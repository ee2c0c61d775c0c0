// Asks the server for further seeds while nobody does anything: the tab is visible, the page is at
// rest, and nothing was pressed, scrolled or held for a moment.

const REST = 1500; // ms without a touch
const BEAT = 1000; // ms between questions
const LOOK = 250; // ms between looks
const TOUCHES = ["pointerdown", "pointerup", "keydown", "wheel", "input"];
const kept = new WeakMap();

export default function ({ data, setTriggerValue, parentElement }) {
  if (!kept.has(parentElement)) kept.set(parentElement, begin());
  const idle = kept.get(parentElement);
  idle.ask = data.more ? () => setTriggerValue("idle", Date.now()) : null;
  return () => {
    idle.end();
    kept.delete(parentElement);
  };
}

function begin() {
  let touched = Date.now();
  let asked = 0;
  let held = false;
  const touch = (event) => {
    touched = Date.now();
    if (event.type === "pointerdown") held = true;
    if (event.type === "pointerup") held = false;
  };
  const resting = () =>
    document.querySelector('[data-test-script-state="notRunning"]') &&
    document.visibilityState === "visible" &&
    !held &&
    Date.now() - touched > REST;
  const idle = { ask: null };
  const look = setInterval(() => {
    if (!idle.ask || Date.now() - asked < BEAT || !resting()) return;
    asked = Date.now();
    idle.ask();
  }, LOOK);
  for (const kind of TOUCHES) window.addEventListener(kind, touch, true);
  idle.end = () => {
    clearInterval(look);
    for (const kind of TOUCHES) window.removeEventListener(kind, touch, true);
  };
  return idle;
}
