// A coin that falls where the answer is: on a page of one's own, and on a phone in a room. It is
// part of every script that has a coin fall.

// What is recorded of a "yes" or "no". Chance comes from the browser's source for keys, in whole
// numbers below 2^32, all equally likely: the own answer gets through where the first lies below
// `threshold`, a whole number too; else a fair coin answers, the lowest bit of the second. So the
// chances are exactly those that are promised, with no rounding of a share between them.
function coinFalls(own, threshold) {
  const [first, second] = crypto.getRandomValues(new Uint32Array(2));
  const through = first < threshold;
  return { through, said: through ? own : second & 1 ? "yes" : "no" };
}
