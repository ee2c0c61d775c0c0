// The coin of a private answer. Chance comes from the browser's source for keys, in whole numbers
// below 2^32, all equally likely: the own answer is recorded if the first lies below `threshold`,
// else a fair coin answers, the lowest bit of the second. So the chances are exactly what is stated.
const recordedAnswer = (own, threshold) => {
  const [first, second] = crypto.getRandomValues(new Uint32Array(2));
  const through = first < threshold;
  return { through, said: through ? own : second & 1 ? "yes" : "no" };
};
