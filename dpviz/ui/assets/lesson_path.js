// The lessons in their order, by chapter, with the progress that this browser has stored.

export default function ({ data, parentElement }) {
  const [top, path] = [".dp-lessons > div", "section"].map((tag) => parentElement.querySelector(tag));
  const chapters = [...new Set(data.lessons.map(({ chapter }) => chapter))];
  const draw = () => {
    const kept = progress();
    const next = data.button ? onward(kept, data) : undefined;
    const rows = data.lessons.map((lesson, at) => [lesson, item(lesson, kept, data.words, next), at]);
    path.replaceChildren(
      ...chapters.map((name) => part(name, rows.filter(([{ chapter }]) => chapter === name))),
    );
    top.replaceChildren(...(data.button || kept.last ? summary(kept, data, draw) : []));
  };
  draw();
}

// The number of finished lessons, and the button that deletes stored progress.
function summary({ last, lessons }, { lessons: path, words }, draw) {
  const done = path.filter(({ key }) => lessons[key]?.done).length;
  const forget = node("button", words.forget);
  forget.onclick = () => {
    keep();
    draw();
  };
  const bar = Object.assign(document.createElement("progress"), { value: done, max: path.length });
  bar.ariaHidden = "true";
  const total = node("span", filled(words.total, { done, lessons: path.length }));
  return [bar, total, ...(last ? [forget] : [])];
}

function part(name, rows) {
  const [made, list] = [document.createElement("article"), document.createElement("ol")];
  list.start = rows[0][2] + 1;
  list.style.setProperty("--before", rows[0][2]);
  list.append(...rows.map(([, made]) => made));
  made.append(node("h3", name), list);
  return made;
}

// The lesson at which the visitor stopped, or the first that is not done: key, link and words.
function onward({ last, lessons }, { lessons: path, words }) {
  const lesson = path.find(({ key }) => key === last?.lesson);
  // relative links only: another page of this host could have written what is stored
  if (lesson && !lessons[last.lesson]?.done && /^\.\/[\w-]*\?/.test(last.link))
    return { key: lesson.key, href: last.link, title: filled(words.resume, { step: last.step + 1 }) };
  const next = path.find(({ key }) => !lessons[key]?.done);
  return next && { key: next.key, href: next.link, title: words.start };
}

function item(lesson, kept, words, next) {
  const own = kept.lessons[lesson.key];
  const made = node("li");
  made.dataset.lesson = lesson.key;
  const seen = Math.min(own?.seen?.length ?? 0, lesson.steps);
  const far = own?.done ? words.done : seen ? filled(words.seen, { seen, steps: lesson.steps }) : "";
  made.className = own?.done ? "done" : "";
  const { right = 0, asked = 0 } = counted(own);
  const facts = far ? [far] : [];
  if (asked) facts.push(filled(words.right, { right, asked }));
  made.append(link(lesson.link, lesson.title));
  made.firstChild.title = lesson.gist;
  if (facts.length) made.append(node("small", facts.join(" · ")));
  if (lesson.key === next?.key) {
    made.classList.add("next");
    made.append(node("p", lesson.gist), link(next.href, next.title, "button main"));
  }
  return made;
}

function counted(own) {
  const marks = Object.values(own?.came ?? {}).map(({ mark }) => mark);
  return { asked: marks.length, right: marks.filter((mark) => mark === "right").length };
}

function filled(words, values) {
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function node(tag, text = "") {
  return Object.assign(document.createElement(tag), { textContent: text });
}

function link(href, text, kind = "") {
  return Object.assign(node("a", text), { href, target: "_self", className: kind });
}
