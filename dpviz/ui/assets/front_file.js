// The front page in a file: the app's own script moves it, and what the server would do is here.

const main = document.querySelector("main");
const scene = main.querySelector(".fp");
const back = main.querySelector(".in-back");
const asked = new URLSearchParams(location.search).get(data.name);
const showDraws = newDraws(main.querySelector(".nd"), data.words);
let shown; // name of the pictures

// The view's link in the app follows the slider.
scene.addEventListener("place", ({ detail: privacy }) => {
  const link = new URL(data.origin);
  if (shown !== data.first) link.searchParams.set(data.name, shown);
  if (privacy) link.searchParams.set("privacy", privacy);
  back.href = link;
});

function show(name) {
  shown = name;
  main.querySelector(".front-intro").textContent = data.intros[name];
  keep(name);
  front({ data: data.scenes[name], setTriggerValue: (_, other) => show(other), parentElement: main });
  showDraws(data.scenes[name].draws);
}

function keep(name) {
  const link = new URL(location.href);
  link.searchParams.set(data.name, name);
  try {
    history.replaceState(history.state, "", link);
  } catch {
    // a frame whose address may not change
  }
}

show(asked in data.scenes ? asked : Object.keys(data.scenes)[0]);

const from = main.querySelector(".in-from");
let open;
addEventListener("beforeprint", () => {
  open = from.open;
  from.open = true;
});
addEventListener("afterprint", () => (from.open = open));
