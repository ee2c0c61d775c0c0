// Esc leaves a presentation, unless something on the page has used it for itself. And what the screen
// leaves to the chart, once all other words of the page have their place, is told.

const [STEP, LEAST, MOST] = [20, 320, 1200]; // px

export default function ({ data, setTriggerValue, setStateValue }) {
  const leave = (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) setTriggerValue("leave", true);
  };
  let later;
  const measure = () => {
    const chart = document.querySelector(".st-key-picture .js-plotly-plot");
    if (!chart) return;
    const words = page.offsetHeight - chart.offsetHeight;
    const room = STEP * Math.floor((innerHeight - words) / STEP);
    const high = Math.max(LEAST, Math.min(MOST, room));
    if (Math.abs(high - data.room) >= STEP) setStateValue("room", high);
  };
  const soon = () => {
    clearTimeout(later);
    later = setTimeout(measure, 400);
  };
  const page = document.querySelector(".stMainBlockContainer");
  const watcher = new ResizeObserver(soon);
  watcher.observe(page);
  addEventListener("resize", soon);
  document.addEventListener("keydown", leave);
  return () => {
    clearTimeout(later);
    watcher.disconnect();
    removeEventListener("resize", soon);
    document.removeEventListener("keydown", leave);
  };
}
