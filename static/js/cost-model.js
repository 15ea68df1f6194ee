// The cost explorer's arithmetic, and how it writes numbers: no page in sight. Its numbers are tested against those of
// attention_core.

const MEGABYTE = 1e6;
export const WHOLE_FROM = 0.5; // megabytes: from here on the lesson rounds what is kept whole

/**
 * Pairs of one head in one layer, and megabytes (10⁶ bytes) for all heads and layers: `whole` with every score stored,
 * `tiled` with one tile of scores and `running` numbers for each token.
 */
export function cost({ tokens, bytes, heads, layers }, { tile, running }) {
  const size = (bytes * heads * layers) / MEGABYTE;
  return { pairs: tokens ** 2, whole: tokens ** 2 * size, tiled: (Math.min(tokens, tile) ** 2 + running * tokens) * size };
}

export const grouped = (value) => Math.round(value).toLocaleString("en");

/** "34,360 MB"; up to `wholeFrom` megabytes, two digits that say something: "0.035 MB". */
export function memory(value, wholeFrom = 1) {
  if (value > wholeFrom) return `${grouped(value)} MB`;
  return `${value.toFixed(1 - Math.floor(Math.log10(value)))} MB`;
}
