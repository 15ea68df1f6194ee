// What every page shares: where the focus goes after a part was swapped in, what is announced, and the theme.
// Without this script every form still works: the server answers with whole pages.

const status = document.getElementById("status");
const pageNotice = document.getElementById("page-notice");
let lastTyped = 0;
let lastSent = 0;

document.addEventListener("input", () => (lastTyped = performance.now()), true);
// What is asked for without a press is a poll.
document.addEventListener("htmx:beforeRequest", (event) => {
  const { verb, triggeringEvent } = event.detail.requestConfig;
  if (verb !== "get" || triggeringEvent?.type === "submit") lastSent = performance.now();
});

function announce(text) {
  status.textContent = "";
  // In a task of its own: a region that is emptied and filled at once is not read out.
  setTimeout(() => (status.textContent = text), 50);
}

// The swapped-in element is event.detail.elt. Who types meanwhile keeps the focus and hears the announcement only.
document.addEventListener("htmx:afterSettle", (event) => {
  const swapped = event.detail.elt;
  const within = (selector) => (swapped.matches(selector) ? swapped : swapped.querySelector(selector));
  const spoken = within("[data-announce]");
  if (spoken) announce(spoken.textContent.replace(/\s+/g, " ").trim());
  const target = within("[data-focus]");
  if (target && lastTyped <= lastSent) {
    target.focus({ preventScroll: true });
    const { top, bottom } = target.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight * 0.7) target.scrollIntoView({ block: "center" });
  }
});

function notify(text, link) {
  const notice = document.createElement("div");
  notice.className = "notice bad page-notice";
  notice.setAttribute("role", "alert");
  const sentence = document.createElement("span");
  sentence.textContent = `${text} `;
  if (link) sentence.append(link);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button small";
  close.textContent = "Close";
  close.addEventListener("click", () => notice.remove());
  notice.append(sentence, close);
  pageNotice.replaceChildren(notice);
}

const isReading = (event) => event.detail.requestConfig.verb === "get"; // then there was nothing to record

document.addEventListener("htmx:responseError", (event) => {
  const reload = document.createElement("a");
  reload.href = location.href;
  reload.textContent = "Load it again";
  const code = event.detail.xhr.status;
  const known = {
    400: "What was sent is larger than this site takes, so nothing was recorded. What you wrote is still here.",
    403: "This page is older than your last signing in or out, so nothing was recorded.",
  };
  const other = `The server could not take this (status ${code}), so nothing was recorded. That is our fault, not yours.`;
  const read = `The server could not answer (status ${code}). What you handed in is kept.`;
  notify(isReading(event) ? read : (known[code] ?? other), reload);
});
document.addEventListener("htmx:sendError", (event) =>
  notify(
    isReading(event)
      ? "The server cannot be reached. What you handed in is kept."
      : "The server cannot be reached, so nothing was recorded. What you wrote is still here: try again in a moment.",
  ),
);
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) pageNotice.replaceChildren();
});

// The server tells days and dates by the reader's own time zone (courses/days.py), from the next page on.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone) document.cookie = `timezone=${zone}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;

// The theme changes at once; the server keeps it in a cookie for the next page.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-theme-form]");
  if (!form) return;
  event.preventDefault();
  const chosen = event.submitter.value;
  const body = new FormData(form, event.submitter);
  fetch(form.action, { method: "POST", body, redirect: "manual" });
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", button === event.submitter);
});

// The contents: open where they stand beside the text, and marking the section that is being read.
const wide = matchMedia("(min-width: 66rem)");
const contents = document.querySelector("[data-contents]");
if (contents && wide.matches) contents.open = true;
document.addEventListener("htmx:oobAfterSwap", (event) => {
  if (event.detail.target.matches("[data-contents]") && wide.matches) event.detail.target.open = true;
});

const blocks = [...document.querySelectorAll(".lesson > .block")];
if (blocks.length && "IntersectionObserver" in window) {
  const visible = new Set();
  const mark = () => {
    const current = blocks.find((block) => visible.has(block.id));
    for (const link of document.querySelectorAll("#lesson-contents a")) {
      if (current && link.hash === `#${current.id}`) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target.id);
        else visible.delete(target.id);
      }
      mark();
    },
    { rootMargin: "-10% 0px -60% 0px" },
  );
  for (const block of blocks) observer.observe(block);
  document.addEventListener("htmx:oobAfterSwap", mark);
}

// Closed details do not print: the tables beside the figures are opened for the printer.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll(".figure-data:not([open])")) {
    details.open = true;
    addEventListener("afterprint", () => (details.open = false), { once: true });
  }
});
