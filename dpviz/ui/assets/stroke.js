// How a stroke of the hand sets the points of a drawing. It is part of every picture drawn in.

// A point takes the height at which the stroke crosses it, else where the stroke comes nearest;
// `closest` is how near it came to each (px), and a point that was met follows within `slack`.
function follow(before, now, places, closest, slack, set) {
  places.forEach((x, i) => {
    const far = Math.abs(x - now.x);
    const passed = now.x !== before.x && (x - before.x) * (x - now.x) <= 0;
    const part = (x - before.x) / (now.x - before.x);
    if (passed) set(i, before.share + part * (now.share - before.share));
    else if (far <= Math.max(closest[i], slack)) set(i, now.share);
    else return;
    closest[i] = passed ? 0 : far;
  });
}
