// New noise on carried sums or scores. dpviz/views/new_draws.py does the same in Python: equal
// words of the generator, equal accuracies. For teaching, not for releases.

const MARGIN = 1e-9; // privacy.PRIVATE_SIDE

function portableDraws(carried) {
  const rows = unpack(Int8Array, carried.test.rows);
  const y = unpack(Uint16Array, carried.test.y);
  const classes = carried.test.classes;
  const width = rows.length / y.length;
  const totals = new Float64Array(classes);
  for (const c of y) totals[c]++;

  if (carried.kind === "means") {
    const sums = unpack(Float64Array, carried.sums);
    const columns = unpack(Float64Array, carried.columns);
    return (epsilon, seed) => {
      const scale = sigma(epsilon, carried.delta);
      const noise = normals(seed, sums.length);
      const weights = sums.map((sum, i) => sum + scale * noise[i]);
      for (let c = 0; c < classes; c++) {
        const row = weights.subarray(c * width, (c + 1) * width);
        let squares = 0;
        for (const value of row) squares += value * value;
        const norm = Math.sqrt(squares);
        row.forEach((value, i) => (row[i] = (value / norm) * columns[i]));
      }
      return { scale, accuracies: accuracies(weights), chosen: [] };
    };
  }
  const scores = unpack(Int32Array, carried.scores);
  const images = unpack(Int16Array, carried.images);
  const count = scores.length / classes;
  return (epsilon, seed) => {
    const scale = (epsilon * (1 - MARGIN)) / carried.width;
    const noise = gumbels(seed, scores.length);
    const chosen = [];
    for (let c = 0; c < classes; c++) {
      let best = -Infinity;
      for (let i = c * count; i < (c + 1) * count; i++) {
        const value = scores[i] * scale + noise[i];
        if (value > best) [best, chosen[c]] = [value, i - c * count];
      }
    }
    const weights = Float64Array.from({ length: classes * width }, (_, i) => {
      const c = Math.floor(i / width);
      return images[chosen[c] * width + (i - c * width)];
    });
    return { scale: carried.step / scale, accuracies: accuracies(weights), chosen };
  };

  // One for each group of classes, of the nearest class of every test image.
  function accuracies(weights) {
    const hits = new Float64Array(classes);
    for (let n = 0; n < y.length; n++) {
      let best = -Infinity;
      let nearest = 0;
      for (let c = 0; c < classes; c++) {
        let score = 0;
        for (let i = 0; i < width; i++) score += rows[n * width + i] * weights[c * width + i];
        if (score > best) [best, nearest] = [score, c];
      }
      if (nearest === y[n]) hits[nearest]++;
    }
    const sum = (values) => values.reduce((a, b) => a + b, 0);
    if (carried.test.pooled) return [sum(hits) / sum(totals)];
    return carried.test.groups.map(
      (group) => sum(group.map((c) => hits[c] / totals[c])) / group.length,
    );
  }
}

function unpack(Kind, text) {
  return new Kind(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

// ------------------------------------------------------------------------------- random numbers

// Philox4x32-10: four words per counter.
function words(seed, count) {
  const made = new Uint32Array(Math.ceil(count / 4) * 4);
  for (let block = 0; block < made.length / 4; block++) {
    let [a, b, c, d] = [block, 0, 0, 0];
    let [first, second] = [seed, 0];
    for (let turn = 0; turn < 10; turn++) {
      const right = Math.imul(a, 0xd2511f53);
      const left = Math.imul(c, 0xcd9e8d57);
      const high = upper(a, 0xd2511f53) ^ d ^ second;
      a = upper(c, 0xcd9e8d57) ^ b ^ first;
      [b, c, d] = [left, high, right];
      first = (first + 0x9e3779b9) | 0;
      second = (second + 0xbb67ae85) | 0;
    }
    made.set([a, b, c, d], 4 * block);
  }
  return made.subarray(0, count);
}

// Upper 32 bits of a product of two 32-bit numbers.
function upper(x, y) {
  const [x0, x1, y0, y1] = [x & 0xffff, x >>> 16, y & 0xffff, y >>> 16];
  const low = x0 * y0;
  const middle = x1 * y0 + (low >>> 16);
  const other = x0 * y1 + (middle % 65536);
  return x1 * y1 + Math.floor(middle / 65536) + Math.floor(other / 65536);
}

function uniforms(seed, count) {
  return Float64Array.from(words(seed, count), (word) => (word + 0.5) * 2 ** -32);
}

function normals(seed, count) {
  const made = uniforms(seed, count + (count % 2));
  for (let i = 0; i < made.length; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(made[i]));
    const angle = 2 * Math.PI * made[i + 1];
    made[i] = radius * Math.cos(angle);
    made[i + 1] = radius * Math.sin(angle);
  }
  return made.subarray(0, count);
}

function gumbels(seed, count) {
  return uniforms(seed, count).map((value) => -Math.log(-Math.log(value)));
}

// ------------------------------------------------------------------------------------ calibration

// Noise of one Gaussian release of sensitivity 1 at (epsilon, delta): Balle and Wang 2018.
function sigma(epsilon, delta) {
  let [low, high] = [-25, 25];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (logDelta(Math.exp(middle), epsilon) > Math.log(delta)) high = middle;
    else low = middle;
  }
  return (1 + MARGIN) / (Math.exp(low) * (1 - MARGIN));
}

// ln of the delta at epsilon of mu-GDP, Phi(-t) - e^epsilon Phi(-t - mu), t = epsilon / mu - mu / 2;
// e^epsilon times the density at t + mu is the density at t.
function logDelta(mu, epsilon) {
  const t = epsilon / mu - mu / 2;
  const density = -(t * t) / 2 - Math.log(2 * Math.PI) / 2;
  return density + Math.log(mills(t) - mills(t + mu));
}

// Phi(-t) over the normal density at t.
function mills(t) {
  if (t > 3) {
    let below = t;
    for (let i = 200; i > 0; i--) below = t + i / below;
    return 1 / below;
  }
  let [term, sum] = [t, t];
  for (let i = 3; Math.abs(term) > Math.abs(sum) * 1e-17 && i < 2000; i += 2) {
    term *= (t * t) / i;
    sum += term;
  }
  return Math.sqrt(Math.PI / 2) * Math.exp((t * t) / 2) - sum;
}
