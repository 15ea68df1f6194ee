// The playground's whole state as the fragment of a link, and back.
// play=1&w=words&d=width&m=mask&s=divided by √d&t=temperature, and at width 2 &q=…&k=…&v=…: the numbers row by row,
// with _ between them. At other widths the numbers follow from the words (attention.js), so they are not written.
import { wordsOf } from "./attention.js";

export const LIMITS = { words: 12, letters: 400, value: 1000, temperature: 3 };
export const WIDTHS = [2, 16, 128];
export const OWN_WIDTH = 2; // the only one at which numbers can be typed
export const MATRICES = ["Q", "K", "V"];

const VERSION = "1";
const NUMBER = /^-?\d+(\.\d+)?(e-?\d+)?$/;

/** What is wrong with a link: a sentence to show. */
export class LinkError extends Error {}

/** Whether a fragment (with its #) is meant as a link to the playground. */
export const isLink = (hash) => hash.startsWith("#play=");

/** The fragment, without its #, of {words, width, causal, scale, temperature} and, at width 2, {Q, K, V}. */
export function encode(state) {
  const fields = new URLSearchParams({
    play: VERSION,
    w: state.words.join(" "),
    d: state.width,
    m: Number(state.causal),
    s: Number(state.scale),
    t: state.temperature,
  });
  if (state.width === OWN_WIDTH) {
    for (const name of MATRICES) fields.set(name.toLowerCase(), state[name].flat().join("_"));
  }
  return fields.toString();
}

/** The state in a fragment without its #. Throws LinkError where it is not one that `encode` writes. */
export function decode(fragment) {
  const fields = new URLSearchParams(fragment);
  const got = (name) => `“${(fields.get(name) ?? "").slice(0, 40)}”`;
  if (fields.get("play") !== VERSION) {
    throw new LinkError(`This link is of version ${got("play")} of the playground, and only version 1 is known here.`);
  }
  const text = fields.get("w") ?? "";
  const words = wordsOf(text, LIMITS.words + 1);
  if (!words.length || words.length > LIMITS.words || text.length > LIMITS.letters) {
    throw new LinkError(`The words in this link cannot be read: expected 1 to ${LIMITS.words} words, got ${got("w")}.`);
  }
  const width = Number(fields.get("d"));
  if (!WIDTHS.includes(width)) {
    throw new LinkError(`The width in this link cannot be read: expected 2, 16 or 128, got ${got("d")}.`);
  }
  for (const name of ["m", "s"]) {
    if (/^[01]$/.test(fields.get(name) ?? "")) continue;
    throw new LinkError(`A switch in this link cannot be read: expected 0 or 1, got ${got(name)}.`);
  }
  const temperature = numberOf(fields.get("t"), 0, LIMITS.temperature);
  if (temperature === null || !/^\d(\.\d)?$/.test(fields.get("t"))) {
    throw new LinkError(`The temperature in this link cannot be read: expected tenths from 0 to 3, got ${got("t")}.`);
  }
  const state = { words, width, causal: fields.get("m") === "1", scale: fields.get("s") === "1", temperature };
  return width === OWN_WIDTH ? { ...state, ...matricesOf(fields, words.length) } : state;
}

function matricesOf(fields, rows) {
  const read = {};
  for (const name of MATRICES) {
    const given = (fields.get(name.toLowerCase()) ?? "").split("_");
    const numbers = given.map((each) => numberOf(each, -LIMITS.value, LIMITS.value));
    if (numbers.length !== rows * OWN_WIDTH || numbers.includes(null)) {
      throw new LinkError(
        `The numbers of ${name} in this link cannot be read: expected ${rows * OWN_WIDTH} from −1000 to 1000, got “${given.join(" ").slice(0, 40)}”.`,
      );
    }
    read[name] = Array.from({ length: rows }, (_, row) => numbers.slice(row * OWN_WIDTH, (row + 1) * OWN_WIDTH));
  }
  return read;
}

/** The number that a text is, or null where it is none or out of bounds. */
function numberOf(text, least, most) {
  const value = NUMBER.test(text ?? "") ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}
