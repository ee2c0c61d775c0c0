// The verdict on a curve drawn by hand, as `lessons.drawings.verdict` gives it; a test compares both.
// `ask` is what `lessons.drawings.facts` returns.

function drawnVerdict(ask, drawn) {
  const { says, near, truth } = ask;
  if (!drawn.length) return { words: unbroken(says.skipped), mark: "", said: "", came: "" };
  const apart = truth.map(([mean], i) => drawn[i] - 100 * mean);
  const far = apart.map(Math.abs);
  const off = truth.map(([, low, high], i) =>
    far[i] <= near || (100 * low <= drawn[i] && drawn[i] <= 100 * high) ? 0 : Math.sign(apart[i]),
  );
  const mean = far.reduce((sum, one) => sum + one, 0) / far.length;
  const came = filled(says.came, { mean: inPoints(mean) });
  const verdict = (words, mark) => ({ words: unbroken(`${words} ${ask.gap}`.trim()), mark, said: "", came });
  if (!off.some(Boolean)) return verdict(filled(says.well, { near }), "right");
  const largest = Math.max(...far);
  const most = far.reduce((best, one, i) => (off[i] && !(one <= far[best]) ? i : best), -1);
  const right = whole(mean) <= near && whole(largest) <= ask.far;
  const mark = right ? "right" : whole(mean) <= ask.far ? "near" : "gap";
  const at = (way) => off.flatMap((own, i) => (own === way ? [i] : []));
  const sides = [[1, "high"], [-1, "low"]]
    .filter(([way]) => off.includes(way))
    .map(([way, name]) => filled(says[name], { at: called(ask, at(way)) }));
  const gap = { most: inPoints(far[most]), at: called(ask, [most]) };
  const point = { drawn: drawn[most], true: ask.percents[most], spread: ask.spreads[most] };
  const sentences = [
    filled(says[mark], { mean: inPoints(mean) }),
    ...sides,
    filled(largest > far[most] ? says.outside : says.largest, gap),
    filled(point.spread ? says.drew_interval : says.drew, point),
  ];
  return verdict(sentences.join(" "), mark);
}

function filled(words, values) {
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function inPoints(apart) {
  return whole(apart) === 1 ? "1 point" : `${whole(apart)} points`;
}

// To the nearest whole number; of two that are as near, the even one.
function whole(value) {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2) ? low + 1 : low;
}

function called(ask, at) {
  const names = at.map((i) => ask.names[i]);
  const listed = [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
  return filled(ask.named[listed === "1" ? 0 : 1], { at: listed });
}

// As `formatting.unbroken`: no line ends between a number and its unit.
function unbroken(words) {
  return words.replace(
    /(?<=\d) (?=points\b|± )|(?<=±) (?=\d)|(?<=[\p{L}\p{N}_]) (?== (\*\*)?[\d∞])|(?<=[\p{L}\p{N}_] =) (?=(\*\*)?[\d∞])/gu,
    "\u00a0",
  );
}
