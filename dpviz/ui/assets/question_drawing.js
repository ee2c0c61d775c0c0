// The drawing of a question: five points between 0 and 100, set by dragging or, on hidden sliders, by
// keys. It is part of questions.js.

const [WIDTH, HEIGHT] = [480, 260]; // px
const [LEFT, RIGHT, TOP, BOTTOM] = [38, 10, 12, 44]; // px around what is drawn
const SLACK = 5; // units of the picture within which a stroke still moves a point it has met
const NAMES = "http://www.w3.org/2000/svg";

const xOf = (i, count) => LEFT + ((i + 0.5) * (WIDTH - LEFT - RIGHT)) / count;
const yOf = (value) => TOP + ((100 - value) / 100) * (HEIGHT - TOP - BOTTOM);

function svg(tag, attributes, text = "") {
  const made = document.createElementNS(NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

function curve(points, name) {
  const places = points.map((value, i) => [xOf(i, points.length), yOf(value)]);
  const mark = ([x, y]) =>
    name === "true"
      ? svg("rect", { x: x - 4, y: y - 4, width: 8, height: 8, class: name })
      : svg("circle", { cx: x, cy: y, r: 7, class: name });
  return [
    svg("polyline", { points: places.map((p) => p.join()).join(" "), class: name }),
    ...places.map(mark),
  ];
}

function canvas(form, label) {
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": label,
  });
  for (const value of [0, 25, 50, 75, 100]) {
    picture.append(
      svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: yOf(value), y2: yOf(value) }),
      svg("text", { x: LEFT - 6, y: yOf(value) + 4, "text-anchor": "end" }, value),
    );
  }
  form.at.forEach((name, i) =>
    picture.append(
      svg("text", { x: xOf(i, form.at.length), y: HEIGHT - 26, "text-anchor": "middle" }, name),
    ),
  );
  picture.append(
    svg(
      "text",
      { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" },
      form.over,
    ),
  );
  return picture;
}

function drawing(form, before, given, words) {
  const points = before?.split(" ").map(Number) ?? form.at.map(() => 50);
  const picture = canvas(form, filled(words.drawing, form));
  const inputs = form.at.map((name, i) => {
    const input = part("input", [], {
      type: "range",
      min: 0,
      max: 100,
      step: 1,
      "aria-label": `${form.over}: ${name}`,
    });
    input.value = points[i];
    input.oninput = () => set(i, Number(input.value));
    input.onfocus = input.onblur = () => paint();
    return input;
  });
  const paint = () => {
    picture.querySelectorAll("polyline, circle, .value").forEach((mark) => mark.remove());
    picture.append(...curve(points, "yours"));
    points.forEach((value, i) => {
      const above = value > 88 ? 22 : -13;
      picture.append(
        svg(
          "text",
          {
            x: xOf(i, points.length),
            y: yOf(value) + above,
            "text-anchor": "middle",
            class: "value",
          },
          value,
        ),
      );
      picture
        .querySelectorAll("circle")
        [i].classList.toggle("focus", inputs[i].matches(":focus-visible"));
    });
  };
  const set = (i, value) => {
    points[i] = Math.max(0, Math.min(100, Math.round(value)));
    inputs[i].value = points[i];
    inputs[i].setAttribute("aria-valuetext", `${points[i]} ${form.up}`);
    paint();
    given(points.join(" "));
  };
  let last, closest; // of the stroke: where it was, and how near it came to each point
  const place = (event) => {
    const box = picture.getBoundingClientRect(),
      scale = WIDTH / box.width;
    const y = (event.clientY - box.top) * scale;
    return {
      x: (event.clientX - box.left) * scale,
      share: 100 - ((y - TOP) / (HEIGHT - TOP - BOTTOM)) * 100,
    };
  };
  const places = points.map((_, i) => xOf(i, points.length));
  const stroke = (from, now) => {
    follow(from, now, places, closest, SLACK, set);
    last = now;
  };
  picture.onpointerdown = (event) => {
    picture.setPointerCapture(event.pointerId);
    event.preventDefault();
    closest = points.map(() => (places[1] - places[0]) / 2);
    stroke(place(event), place(event));
  };
  picture.onpointermove = (event) => event.buttons && last && stroke(last, place(event));
  paint();
  return part(
    "fieldset",
    [
      part("legend", form.up),
      picture,
      part("div", inputs, { class: "keys" }),
      part("p", words.hint, { class: "note" }),
    ],
    { class: "drawing" },
  );
}
