// The playground's arithmetic: scaled dot-product attention on plain arrays of numbers, no page in sight.
// Rows are queries. Its numbers are tested against those of attention_core.

const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);

/**
 * Q (T, d), K (T, d), V (T, dv) -> {scores, scaled, weights, output}.
 * `scores` are the dot products; `scaled` is what enters softmax: divided by √d where `scale`, and -Infinity above the
 * diagonal where `causal`. Softmax divides by `temperature` besides. Temperature 0 is the limit: all weight on the largest
 * score, shared where several are largest.
 */
export function attention(Q, K, V, { causal = false, scale = true, temperature = 1 } = {}) {
  const divisor = scale ? Math.sqrt(Q[0].length) : 1;
  const scores = Q.map((query) => K.map((key) => dot(query, key)));
  const scaled = scores.map((row, i) => row.map((score, j) => (causal && j > i ? -Infinity : score / divisor)));
  const weights = scaled.map((row) => softmax(row, temperature));
  const output = weights.map((row) => V[0].map((_, column) => dot(row, V.map((value) => value[column]))));
  return { scores, scaled, weights, output };
}

/** The matrix product of A (n, m) and B (m, k): (n, k). */
export function product(A, B) {
  return A.map((row) => B[0].map((_, column) => dot(row, B.map((line) => line[column]))));
}

/** Softmax of one row divided by `temperature`; stable, and -Infinity gets 0. */
export function softmax(row, temperature = 1) {
  const largest = Math.max(...row);
  const powers = row.map((score) => {
    if (temperature === 0) return score === largest ? 1 : 0;
    return Math.exp((score - largest) / temperature);
  });
  const total = powers.reduce((sum, value) => sum + value, 0);
  return powers.map((value) => value / total);
}

/** The words of a sentence, at most `limit` of them. */
export function wordsOf(text, limit = 12) {
  return text.normalize("NFC").trim().split(/\s+/u).filter(Boolean).slice(0, limit);
}

/**
 * A vector of `width` numbers made from a word's letters: always the same for the same word and `role`.
 * Nothing here is learned. Whole numbers from -2 to 2 at width 2, to be checked by hand; wider vectors have entries
 * of mean 0 and variance 1, as the argument for dividing by √d supposes.
 */
export function vectorOf(word, role, width) {
  const random = generator(`${role}:${word.toLowerCase()}`);
  if (width === 2) return Array.from({ length: width }, () => Math.floor(random() * 5) - 2);
  return Array.from({ length: width }, () => (random() * 2 - 1) * Math.sqrt(3));
}

/** Numbers in [0, 1) from a text: FNV-1a to seed, mulberry32 to go on. */
function generator(text) {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
