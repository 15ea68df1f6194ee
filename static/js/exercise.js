// An exercise's page: the editor over its textarea, and drafts that are never lost.
// Without this script the textarea and its form do the same work.
import { createEditor } from "../vendor/codemirror/editor.js";
import { Draft } from "./draft.js";
import { SENTENCES, oddCharacters, plain } from "./pasted.js";
import { DraftSync } from "./sync.js";

const form = document.getElementById("exercise-form");
const textarea = document.getElementById("source");
const box = form.querySelector("[data-editor]");
const note = document.getElementById("draft-note");
const state = form.querySelector("[data-draft-state]");
const starterButton = form.querySelector("[data-starter]");
const starter = JSON.parse(document.getElementById("starter").textContent);
const nonce = document.querySelector("script[nonce]").nonce;

const submitButton = form.querySelector("button[type=submit]");
const runButton = form.querySelector("[data-precheck]"); // null where no case is shown
const pasted = document.getElementById("pasted");
const serverOffer = document.getElementById("draft-offered");
const offeredText = serverOffer ? JSON.parse(document.getElementById("offered-draft").textContent) : null;
const apple = /Mac|iPhone|iPad/.test(navigator.platform);

// The server's text is a textarea's: line ends are \n here, whatever they were on the way.
const server = textarea.value;
const draft = new Draft(browserStorage(), form.dataset.learner, form.dataset.exercise);
const opening = draft.opening(server, "explicit" in form.dataset, Number(form.elements.revision.value));

const editor = createEditor({
  parent: box,
  text: opening.text,
  label: "Your code",
  describedBy: "editor-help",
  nonce,
  onChange: edited,
  onSubmit: () => form.requestSubmit(submitButton),
});
textarea.value = opening.text;
textarea.hidden = true;
form.querySelector("label[for=source]").addEventListener("click", () => editor.focus());
form.querySelector("[data-help]").append(`. Tab indents; Esc, then Tab, leaves. ${apple ? "⌘" : "Ctrl"}+Enter checks.`);
if (runButton) form.querySelector("[data-help]").append(` ${apple ? "⌘" : "Ctrl"}+Shift+Enter runs the shown cases.`);
starterButton.hidden = false;

// Before the editor's own keys. An Enter that ends the composing of a character is the input method's.
box.addEventListener(
  "keydown",
  (event) => {
    if (!runButton || event.key !== "Enter" || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
    if (event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    runButton.click();
  },
  true,
);

// A browser that keeps nothing throws here already: drafts then last as long as the page.
function browserStorage() {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => { throw new Error("no storage"); }, removeItem: () => {} };
  }
}

let dirty = false; // edited in this tab since it last agreed with what is stored
let timer = 0;
const sync = new DraftSync({
  url: form.dataset.draftUrl,
  token: form.elements.csrfmiddlewaretoken.value,
  draft,
  text: () => textarea.value,
  known: "known" in form.dataset,
  onSaved: () => (state.textContent = "Draft saved"),
  onConflict: offerServers,
});

function edited(text) {
  textarea.value = text;
  dirty = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    save();
    pointAtOdd();
  }, 400);
  sync.later();
}

function save() {
  clearTimeout(timer);
  if (!dirty) return;
  const outcome = draft.save(textarea.value);
  if (outcome === "newer") offerOther();
  else dirty = false;
  state.textContent = { saved: "Draft kept in this browser", newer: "", full: "This browser keeps no drafts" }[outcome];
}

function show(text, ...actions) {
  const sentence = document.createElement("p");
  sentence.textContent = text;
  const buttons = document.createElement("div");
  buttons.className = "buttons";
  for (const [label, action] of actions) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = label;
    button.addEventListener("click", () => {
      note.hidden = true;
      action();
      editor.focus();
    });
    buttons.append(button);
  }
  note.replaceChildren(sentence, buttons);
  note.hidden = false;
}

function offerServers(stored) {
  show(
    "A newer text of yours for this exercise was saved elsewhere, on another device perhaps.",
    ["Use the newer text", () => {
      sync.resolve(stored.revision);
      replace(stored.text);
      draft.overwrite(stored.text);
      draft.serverHas(stored.text, stored.revision);
    }],
    ["Keep this text", () => {
      sync.resolve(stored.revision);
      sync.now();
    }],
  );
}

function offerOther() {
  show(
    "Another tab has changed this exercise's text since you opened it here.",
    ["Use the other tab's text", () => replace(draft.adopt())],
    ["Keep this text", () => {
      draft.overwrite(textarea.value);
      dirty = false;
      sync.later();
    }],
  );
}

// Where the pasted text holds what nobody sees: said under the editor, and mended at one press, which can be undone.
const ODD_SHOWN = 3;
function pointAtOdd() {
  const odd = oddCharacters(textarea.value);
  const lines = new Map(odd.map((each) => [`${each.line} ${each.kind}`, SENTENCES[each.kind](each.line)]));
  const told = [...lines.values()].slice(0, ODD_SHOWN);
  if (lines.size > ODD_SHOWN) told.push(`Further lines like these: ${lines.size - ODD_SHOWN}.`);
  if (told.join() === pasted.dataset.told) return;
  pasted.dataset.told = told.join();
  const sentences = told.map((text) => Object.assign(document.createElement("p"), { textContent: text }));
  if (!odd.length) return void pasted.replaceChildren();
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button small";
  button.textContent = "Replace";
  button.addEventListener("click", () => {
    editor.replace(plain(textarea.value));
    pointAtOdd();
    editor.focus();
    state.textContent = "Replaced. Undo brings back what was here.";
  });
  pasted.replaceChildren(...sentences, button);
}
pointAtOdd();

function replace(text) {
  editor.replace(text);
  textarea.value = text;
  clearTimeout(timer);
  dirty = false;
  pointAtOdd();
}

if (opening.offered !== null) {
  show(
    "This browser holds a text of yours for this exercise that was never handed in.",
    ["Use it", () => {
      replace(opening.offered);
      draft.overwrite(opening.offered);
      sync.later();
    }],
    ["Forget it", () => draft.overwrite(textarea.value)],
  );
}

// The server's offer is a link, which puts the text into a page of its own; here it stays one undo away.
if (serverOffer && [opening.text, opening.offered].includes(offeredText)) serverOffer.remove();
serverOffer?.querySelector("a").addEventListener("click", (event) => {
  event.preventDefault();
  editor.replace(offeredText);
  editor.focus();
  serverOffer.remove();
  state.textContent = "The draft is here. Undo brings back what was here before.";
});

addEventListener("storage", (event) => {
  if (event.key !== draft.key || event.newValue === null) return;
  if (!draft.changedElsewhere()) draft.adopt(); // only what the server has, or has seen, is new
  else if (dirty) offerOther();
  else replace(draft.adopt());
});

function leave() {
  save();
  sync.now({ keepalive: true });
}
addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leave());
if (opening.text !== server) sync.later();

starterButton.addEventListener("click", () => {
  editor.replace(starter.replace(/\r\n?/g, "\n"));
  editor.focus();
  state.textContent = "The starting text is back. Undo brings yours again.";
});

// Restoring an attempt without leaving: what is in the editor is one undo away.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-restore]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  const answer = await fetch(link.href).catch(() => null);
  if (!answer?.ok) return void (location.href = link.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  editor.replace(page.getElementById("source").value);
  editor.focus();
  state.textContent = "Restored. Undo brings back what was here.";
});

const isRun = ({ elt }) => elt === form || (runButton !== null && elt === runButton);

form.addEventListener("submit", () => {
  form.elements.revision.value = draft.seen;
  keep();
});
function keep() {
  textarea.value = editor.text();
  dirty = true;
  save();
  sync.cancel(); // what is sent to be run is the draft
}
// A double press hands in once: the same text is not sent while its verdict is awaited, nor a moment after it was sent.
// But a precheck may be followed at once by handing in.
const SAME_PRESS = 1000; // milliseconds
let sent = { source: null, by: null, at: 0 };
function isSentAlready(by) {
  const awaited = document.querySelector("#verdict.waiting") !== null;
  const again = textarea.value === sent.source && (awaited || performance.now() - sent.at < SAME_PRESS);
  return again && (by === sent.by || sent.by === form);
}

document.addEventListener("htmx:confirm", (event) => {
  if (!isRun(event.detail)) return;
  keep();
  if (isSentAlready(event.detail.elt)) return void event.preventDefault();
  if (!sync.sending) return; // a draft that is on its way arrives first: what is run continues it
  event.preventDefault();
  sync.sending.finally(() => event.detail.issueRequest(true));
});
document.addEventListener("htmx:configRequest", (event) => {
  if (isRun(event.detail)) event.detail.parameters.revision = draft.seen;
});
// Meanwhile an answer about the attempt before changes nothing: it would take the place that the new verdict is to get.
let handingIn = false;
function isPassedOver(event) {
  const { target, requestConfig } = event.detail;
  if (requestConfig.elt === target && (handingIn || !target.isConnected)) event.detail.shouldSwap = false;
}
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt: by, requestConfig } = event.detail;
  // On the element that asks: nothing that happens to it is heard of here once it is out of the page.
  if (["verdict", "gpu"].includes(by.id)) by.addEventListener("htmx:beforeSwap", isPassedOver);
  if (!isRun(event.detail)) return;
  sent = { source: requestConfig.parameters.source, by, at: performance.now() };
  handingIn = true;
  for (const button of [submitButton, runButton]) button?.setAttribute("aria-disabled", "true");
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!isRun(event.detail)) return;
  for (const button of [submitButton, runButton]) button?.removeAttribute("aria-disabled");
  handingIn = false;
  const { successful, xhr, requestConfig } = event.detail;
  if (!successful) {
    sent.source = null;
    for (const id of ["verdict", "gpu"]) askAgain(document.getElementById(id)); // its answer may have been passed over
    return;
  }
  const refused = document.querySelector('#verdict[data-verdict-state="refused"]') !== null;
  if (refused) return;
  sync.known = true;
  const revision = xhr.getResponseHeader("Draft-Revision"); // none where another text was saved meanwhile
  if (revision !== null) state.textContent = "Draft saved";
  draft.serverHas(requestConfig.parameters.source, sync.paused || revision === null ? draft.seen : Number(revision));
});

function askAgain(element) {
  element?.dispatchEvent(new CustomEvent("again"));
}
// A question for the verdict that got no answer is asked again. A page that the server knows nothing of stays as it is.
for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  document.addEventListener(failure, (event) => {
    const { elt, xhr } = event.detail;
    if (["verdict", "gpu"].includes(elt.id) && (xhr.status === 0 || xhr.status >= 500)) askAgain(elt);
  });
}

// A verdict has come, or what a GPU has to add to it: the list of attempts and the solution are read again.
document.addEventListener("htmx:afterSettle", (event) => {
  const { id, dataset } = event.detail.elt;
  const told = id === "verdict" && ["finished", "faulted", "replaced"].includes(dataset.verdictState);
  if (told || (id === "gpu" && dataset.gpu === "finished")) {
    document.body.dispatchEvent(new CustomEvent("verdict"));
  }
});
