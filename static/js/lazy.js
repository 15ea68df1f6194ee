// What a reader comes to later is loaded later: an element with data-module shortly before it is in sight, or at once
// where the address or the history is about it (data-hash: how such an address begins).
const NEAR = "1200px 0px";

const waiting = new Set(document.querySelectorAll("[data-module]"));

function load(element) {
  waiting.delete(element);
  observer.unobserve(element);
  import(element.dataset.module);
}

const observer = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => load(entry.target)),
  { rootMargin: NEAR },
);

function loadAddressed() {
  for (const element of [...waiting]) {
    const { hash } = element.dataset;
    if (hash && (location.hash.startsWith(hash) || history.state)) load(element);
  }
}

for (const element of waiting) observer.observe(element);
loadAddressed();
addEventListener("hashchange", loadAddressed);
