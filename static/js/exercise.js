// An exercise's page: the editor over its textarea, and drafts that are never lost.
// Without this script the textarea and its form do the same work.
import { createEditor } from "../vendor/codemirror/editor.js";
import { Draft } from "./draft.js";

const form = document.getElementById("exercise-form");
const textarea = document.getElementById("source");
const box = form.querySelector("[data-editor]");
const note = document.getElementById("draft-note");
const state = form.querySelector("[data-draft-state]");
const starterButton = form.querySelector("[data-starter]");
const starter = JSON.parse(document.getElementById("starter").textContent);
const nonce = document.querySelector("script[nonce]").nonce;

const submitButton = form.querySelector("button[type=submit]");
const apple = /Mac|iPhone|iPad/.test(navigator.platform);

// The server's text is a textarea's: line ends are \n here, whatever they were on the way.
const server = textarea.value;
const draft = new Draft(browserStorage(), form.dataset.learner, form.dataset.exercise);
const opening = draft.opening(server, "explicit" in form.dataset);

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
starterButton.hidden = false;

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

function edited(text) {
  textarea.value = text;
  dirty = true;
  clearTimeout(timer);
  timer = setTimeout(save, 400);
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

function offerOther() {
  show(
    "Another tab has changed this exercise's text since you opened it here.",
    ["Use the other tab's text", () => replace(draft.adopt())],
    ["Keep this text", () => {
      draft.overwrite(textarea.value);
      dirty = false;
    }],
  );
}

function replace(text) {
  editor.replace(text);
  textarea.value = text;
  clearTimeout(timer);
  dirty = false;
}

if (opening.offered !== null) {
  show(
    "This browser holds a text of yours for this exercise that was never handed in.",
    ["Use it", () => {
      replace(opening.offered);
      draft.overwrite(opening.offered);
    }],
    ["Forget it", () => draft.overwrite(textarea.value)],
  );
}

addEventListener("storage", (event) => {
  if (event.key !== draft.key || event.newValue === null) return;
  if (dirty) offerOther();
  else replace(draft.adopt());
});
addEventListener("pagehide", save);
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && save());

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

form.addEventListener("submit", () => {
  textarea.value = editor.text();
  dirty = true;
  save();
});
// A double press hands in once: the same text is not sent while its verdict is awaited, nor a moment after it was sent.
const SAME_PRESS = 1000; // milliseconds
let sent = { source: null, at: 0 };
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.elt !== form) return;
  const { source } = event.detail.requestConfig.parameters;
  const now = performance.now();
  const awaited = document.querySelector("#verdict.waiting") !== null;
  if (source === sent.source && (awaited || now - sent.at < SAME_PRESS)) return void event.preventDefault();
  sent = { source, at: now };
  submitButton.setAttribute("aria-disabled", "true");
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt !== form) return;
  submitButton.removeAttribute("aria-disabled");
  if (!event.detail.successful) sent.source = null;
  if (event.detail.successful) draft.handedIn(event.detail.requestConfig.parameters.source);
});

// A question for the verdict that got no answer is asked again. A page that the server knows nothing of stays as it is.
for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  document.addEventListener(failure, (event) => {
    const { elt, xhr } = event.detail;
    if (["verdict", "gpu"].includes(elt.id) && (xhr.status === 0 || xhr.status >= 500)) elt.dispatchEvent(new CustomEvent("again"));
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
