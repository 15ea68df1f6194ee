// The review: where the focus goes when a card is turned, keys for who likes them, and no card skipped by a press too
// many. Without this script every form still works.

const SETTLED = 350; // ms after a change in which a press was meant for what was there before
const KEYS_OFF = "review-keys-off";
const EDITABLE = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]";
const ACTIVATED = "a[href], button, summary, input, select, textarea, label"; // what Space and Enter act on by themselves

const keys = document.querySelector("[data-review-keys]");
const switched = keys.querySelector("input");
const region = () => document.getElementById("review"); // another element after each swap
let changed = -Infinity;

const isSettled = () => performance.now() - changed >= SETTLED;

keys.hidden = !region().querySelector("form"); // with nothing to rate and nothing to take back there is no key
try {
  switched.checked = localStorage.getItem(KEYS_OFF) === null;
} catch {
  // Without storage the choice holds for this page.
}
switched.addEventListener("change", () => {
  try {
    if (switched.checked) localStorage.removeItem(KEYS_OFF);
    else localStorage.setItem(KEYS_OFF, "1");
  } catch {
    // As above.
  }
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "review") changed = performance.now();
});

// A toggle does not bubble, but is captured. The answer is read out because it has the focus; a second Space or Enter
// finds no button there.
document.addEventListener(
  "toggle",
  (event) => {
    if (!event.target.open || !region().contains(event.target)) return;
    changed = performance.now();
    event.target.querySelector(".review-back").focus();
  },
  true,
);

document.addEventListener(
  "click",
  (event) => {
    if (isSettled() || !region().contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

document.addEventListener("keydown", (event) => {
  if (!switched.checked || event.defaultPrevented || event.repeat || event.isComposing || event.keyCode === 229) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest(EDITABLE)) return;
  const pressed = buttonFor(event);
  if (!pressed) return;
  event.preventDefault();
  pressed.click();
});

function buttonFor(event) {
  const details = region().querySelector("details");
  if (event.key === " " || event.key === "Enter") {
    if (event.shiftKey || event.target.closest(ACTIVATED)) return null;
    return details && !details.open ? details.querySelector("summary") : null;
  }
  if (event.key === "u" || event.key === "U") return region().querySelector("[data-undo]");
  const digit = digitOf(event);
  return digit && details?.open ? details.querySelector(`button[value="${digit}"]`) : null;
}

// By what is written, else by the place of the key: not everywhere is the upper row one of Latin digits.
function digitOf(event) {
  if (/^[1-4]$/.test(event.key)) return event.key;
  return event.shiftKey ? null : event.code.match(/^Digit([1-4])$/)?.[1];
}
