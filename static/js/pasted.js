// Characters that come along with pasted text and that nobody sees: what they are, on which line, and what to put there.
//
// Python reads an ordinary space only, and stops at what has no width. Joiners are left alone inside words and emoji,
// where they belong: they are pointed at between plain characters.

const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const ODD = /[\u0000\u00a0\u00ad\u061c\u1680\u2000-\u200f\u202a-\u202f\u205f\u2060\u2066-\u2069\u3000\ufeff]/gu;
const JOINERS = /[\u200c\u200d]/u;

const isPlain = (character) => character === undefined || character <= "\u007f";

function kindOf(character) {
  if (character === "\u0000") return "nul";
  if (character === "\u00a0") return "no-break space";
  if (SPACES.test(character)) return "space";
  return TURNS.test(character) ? "turn" : "no width";
}

/** [{line, kind, from, to, insert}], in the order of the text; `line` counts from 1, the places are in UTF-16 units. */
export function oddCharacters(text) {
  const found = [];
  let line = 1;
  let counted = 0;
  for (const { index, 0: character } of text.matchAll(ODD)) {
    if (JOINERS.test(character) && !(isPlain(text[index - 1]) && isPlain(text[index + 1]))) continue;
    for (; counted < index; counted++) if (text[counted] === "\n") line++;
    const kind = kindOf(character);
    found.push({ line, kind, from: index, to: index + 1, insert: SPACES.test(character) ? " " : "" });
  }
  return found;
}

/** The text with an ordinary space for each odd one, and without the rest. */
export function plain(text) {
  let result = "";
  let end = 0;
  for (const { from, to, insert } of oddCharacters(text)) {
    result += text.slice(end, from) + insert;
    end = to;
  }
  return result + text.slice(end);
}

export const SENTENCES = {
  "no-break space": (line) => `Line ${line} has a no-break space, which Python does not take for a space.`,
  space: (line) => `Line ${line} has an unusual space, which Python does not take for a space.`,
  "no width": (line) => `Line ${line} has a character without width (a zero-width space or the like), which nobody can see.`,
  turn: (line) => `Line ${line} has a character that turns the direction of writing, which nobody can see.`,
  nul: (line) => `Line ${line} has a NUL, which Python source may not contain.`,
};
