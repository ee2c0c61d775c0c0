// Ties the frames of a picture to the budget: it follows the budget's slider while that is dragged,
// and when the
// hand lets go of the picture's own slider, or a sweep ends, the server is told where it stands.
// The page's answer follows as well, in the server's own words for each budget.
// A picture is a Plotly chart with frames and a slider, or an element ".frames" whose children are
// shown one by one.

const INSTANT = {
  mode: "immediate",
  transition: { duration: 0 },
  frame: { duration: 0, redraw: false },
};
const LOOK_AGAIN = 60; // ms between looks for a picture that was drawn anew
const BEAT = 450; // ms a frame of a sweep
const RESTS = 150; // ms without a move after which Plotly is told
const hands = new WeakMap();

export default function ({ data, setTriggerValue, parentElement }) {
  if (!hands.has(parentElement))
    hands.set(parentElement, begin(data.slider ? pages(parentElement) : plotly()));
  const hand = hands.get(parentElement);
  hand.told(data, (place) => setTriggerValue("budget", data.budgets[place]));
  return () => {
    hand.end();
    hands.delete(parentElement);
  };
}

function begin(picture) {
  let data, tell, element, wanted, soon;
  let held = false; // the picture's slider is in the hand
  let playing = false; // a sweep was begun: where it ends is where the server is to stand
  let ahead = null; // a place that the server has not answered yet
  let control; // the place that the budget's own slider showed last

  const standing = () => (element ? picture.standing(element) : undefined);

  function show() {
    if (held || standing() === undefined || standing() === wanted) return;
    picture.show(element, wanted);
  }

  function locally(place) {
    wanted = place;
    ahead = place === data.now ? null : place;
    voice(place);
  }

  function voice(place = wanted) {
    say(data.answer, data.words[place], place !== data.now);
  }

  function settle() {
    const place = standing();
    if (held || place === undefined || place === wanted) return;
    locally(place);
    tell(place);
  }

  // A picture may also rest late on a place that the hand has left since: then it is led on, and
  // nobody is told.
  function rested() {
    if (!playing) return show();
    playing = false;
    settle();
  }

  const events = {
    take: () => {
      held = true;
      playing = false;
    },
    play: () => (playing = true),
    move: voice,
    leave: () => {
      held = false;
      settle();
    },
    rest: () => {
      clearTimeout(soon);
      soon = setTimeout(rested, 80);
    },
  };

  function find() {
    const found = picture.find(`.st-key-${data.chart}`);
    // the picture may still be on its way to what is wanted
    voice(held || playing ? standing() : wanted);
    if (!found || found === element) return;
    element = found;
    held = playing = false;
    picture.attach(element, data.frames, events);
    show();
  }

  const watch = new MutationObserver((changes) => {
    // Only when the control itself moves: whatever is drawn anew while the server computes must not
    // bring an old value back.
    const own = changes.find((change) => change.target.closest(`.st-key-${data.control}`));
    const place = data.frames.indexOf(own?.target.getAttribute("aria-valuetext"));
    if (place < 0 || place === control) return;
    control = place;
    if (held || place === wanted) return;
    playing = false;
    locally(place);
    show();
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
      tell = teller;
      control ??= data.now;
      if (ahead === null || ahead === data.now) {
        ahead = null;
        wanted = data.now;
      }
      find();
      show();
    },
    end() {
      watch.disconnect();
      clearInterval(looking);
      clearTimeout(soon);
      say(data.answer);
      picture.end?.();
    },
  };
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
  let sweeping = false;
  let soon;

  async function tell(chart, place) {
    clearTimeout(soon);
    sweeping = false;
    try {
      await window.Plotly.animate(chart, [names[place]], INSTANT);
    } catch {
      // another frame is on its way, or the chart is gone
    }
    if (drawn === place) drawn = undefined;
    else if (drawn !== undefined) drawFrame(chart, names[drawn]); // the hand has moved on
  }

  function draw(chart, place) {
    clearTimeout(soon);
    if (sweeping || !drawFrame(chart, names[place])) return false;
    drawn = place;
    return true;
  }

  return {
    find(within) {
      const found = document.querySelector(`${within} .js-plotly-plot`);
      return found?.on && found.layout?.sliders && window.Plotly ? found : null;
    },
    standing: (chart) => drawn ?? chart.layout?.sliders?.[0]?.active,
    show(chart, place) {
      if (!draw(chart, place)) return tell(chart, place);
      gripAt(chart, place);
      soon = setTimeout(tell, RESTS, chart, place);
    },
    attach(chart, frames, events) {
      names = frames;
      drawn = undefined;
      sweeping = false;
      chart.on("plotly_sliderstart", ({ slider }) => {
        if (sweeping) tell(chart, slider.active);
        slider.steps.forEach((step) => (step.execute = false));
        events.take();
      });
      chart.on("plotly_sliderchange", ({ slider, interaction }) => {
        if (!interaction) return;
        if (!draw(chart, slider.active)) tell(chart, slider.active);
        events.move(slider.active);
      });
      chart.on("plotly_sliderend", () => {
        events.leave();
        if (drawn !== undefined) tell(chart, drawn);
      });
      chart.on("plotly_buttonclicked", () => {
        clearTimeout(soon);
        drawn = undefined;
        sweeping = true;
        events.play();
      });
      chart.on("plotly_animatingframe", ({ name }) => {
        if (drawn === undefined) events.move(frames.indexOf(name));
      });
      chart.on("plotly_animated", () => {
        sweeping = false;
        events.rest();
      });
    },
    end: () => clearTimeout(soon),
  };
}

function pages(parent) {
  const [range, play, label] = ["input", "button", "span"].map((tag) => parent.querySelector(tag));
  let beat;

  const standing = (root) => [...root.children].findIndex((page) => page.classList.contains("on"));

  function show(root, place) {
    [...root.children].forEach((page, i) => page.classList.toggle("on", i === place));
    range.value = place;
    label.textContent = root.children[place].dataset.name;
    range.setAttribute("aria-valuetext", label.textContent);
  }

  function stop() {
    clearInterval(beat);
    beat = undefined;
    play.textContent = "▶ sweep";
  }

  return {
    find: (within) => document.querySelector(`${within} .frames`),
    standing,
    show,
    attach(root, frames, events) {
      stop();
      range.max = frames.length - 1;
      show(root, standing(root));
      const leave = () => {
        stop();
        events.leave();
      };
      range.oninput = () => {
        stop();
        events.take();
        show(root, Number(range.value));
        events.move(standing(root));
      };
      range.onchange = leave;
      play.onclick = () => {
        if (beat) return leave();
        let place = frames.length;
        const next = () => {
          if (place === 0) return leave();
          show(root, --place);
          events.move(place);
        };
        events.take();
        play.textContent = "◼ stop";
        beat = setInterval(next, BEAT);
        next();
      };
    },
    end: stop,
  };
}
