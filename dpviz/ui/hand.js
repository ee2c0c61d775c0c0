// Ties the frames of a chart to the budget: the chart follows the budget's slider while that is dragged,
// and when the hand lets go of the chart's own slider, or a sweep ends, the server is told where it stands.

const INSTANT = { mode: "immediate", transition: { duration: 0 }, frame: { duration: 0, redraw: false } };
const LOOK_AGAIN = 60; // ms between looks for a chart that was drawn anew
const hands = new WeakMap();

export default function ({ data, setTriggerValue, parentElement }) {
  if (!hands.has(parentElement)) hands.set(parentElement, begin());
  const hand = hands.get(parentElement);
  hand.told(data, (place) => setTriggerValue("budget", place));
  return () => {
    hand.end();
    hands.delete(parentElement);
  };
}

function begin() {
  let data, tell, chart, wanted, soon;
  let held = false; // the chart's slider is in the hand
  let ahead = null; // a place that the server has not answered yet

  const standing = () => chart?.layout?.sliders?.[0]?.active;

  function show() {
    if (held || standing() === undefined || standing() === wanted) return;
    window.Plotly.animate(chart, [data.frames[wanted]], INSTANT).catch(() => {});
  }

  function locally(place) {
    wanted = place;
    ahead = place === data.now ? null : place;
  }

  function settle() {
    const place = standing();
    if (held || place === undefined || place === wanted) return;
    locally(place);
    tell(place);
  }

  function settleSoon() {
    clearTimeout(soon);
    soon = setTimeout(settle, 80);
  }

  function find() {
    const found = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    if (!found?.on || !found.layout?.sliders || !window.Plotly) return;
    if (found !== chart) {
      chart = found;
      held = false;
      chart.on("plotly_sliderstart", () => (held = true));
      chart.on("plotly_sliderend", () => {
        held = false;
        settle();
      });
      chart.on("plotly_animated", settleSoon);
      show();
    }
  }

  const control = new MutationObserver(() => {
    const text = document.querySelector(`.st-key-${data.control} [aria-valuetext]`)?.getAttribute("aria-valuetext");
    const place = data.frames.indexOf(text);
    if (held || place < 0 || place === wanted) return;
    locally(place);
    show();
  });
  control.observe(document.body, { subtree: true, attributes: true, attributeFilter: ["aria-valuetext"] });
  const looking = setInterval(find, LOOK_AGAIN);

  return {
    told(news, teller) {
      data = news;
      tell = teller;
      if (ahead === null || ahead === data.now) {
        ahead = null;
        wanted = data.now;
      }
      find();
      show();
    },
    end() {
      control.disconnect();
      clearInterval(looking);
      clearTimeout(soon);
    },
  };
}
