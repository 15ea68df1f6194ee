// Where one reads in a lesson: kept in this browser, and by the server for whoever it keeps anything of. On coming
// back the page offers to continue there; it never jumps by itself.

const SECONDS = 4; // a part that was in view for so long counts as read
const place = document.querySelector("[data-reading]");
const blocks = [...document.querySelectorAll(".lesson > .block")];
const key = (learner) => `heed:reading:${learner}:${place.dataset.lesson}`;
let kept = "kept" in place.dataset; // whether the server keeps anything of this learner

function stored(learner) {
  try {
    const { block, at } = JSON.parse(localStorage.getItem(key(learner)));
    return typeof block === "string" && Number.isFinite(at) ? { block, at } : null;
  } catch {
    return null;
  }
}

function store(block, at) {
  try {
    localStorage.setItem(key(place.dataset.learner), JSON.stringify({ block, at }));
  } catch {
    // A browser that keeps nothing: then the server does, if anyone.
  }
}

// What a visitor read belongs to whoever signs in next, as their answers do.
function inherit() {
  if (place.dataset.learner === "visitor") return;
  const visitors = stored("visitor");
  const own = stored(place.dataset.learner);
  if (visitors && !(own && own.at > visitors.at)) store(visitors.block, visitors.at);
  try {
    localStorage.removeItem(key("visitor"));
  } catch {
    // As above.
  }
}

function titleOf(block) {
  const heading = document.getElementById(`${block}-title`)?.cloneNode(true);
  heading?.querySelector(".section-number")?.remove();
  return heading?.textContent.trim();
}

function offer() {
  inherit();
  const local = stored(place.dataset.learner);
  const server = Number(place.dataset.read ?? 0) * 1000;
  if (!local || local.at <= server + 1000) return;
  const title = titleOf(local.block);
  if (!title) return; // taken out of the lesson since
  const link = place.querySelector("a");
  link.hash = local.block;
  link.textContent = place.dataset.template.replace("{}", title);
  markHere(local.block);
  send(local.block);
}

function send(block) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!kept || !token || !navigator.onLine) return;
  const body = new URLSearchParams({ block, csrfmiddlewaretoken: token });
  // Nothing is said if it fails: this browser knows the place anyway.
  fetch(place.dataset.address, { method: "POST", body, keepalive: true }).catch(() => {});
}

// On the map: the concept that is read, or the last one before what is read.
function markHere(block) {
  const upTo = blocks.slice(0, blocks.findIndex((each) => each.id === block) + 1).map((each) => each.id);
  const concepts = [...document.querySelectorAll("[data-concept]")];
  const here = upTo.findLast((id) => concepts.some((each) => each.dataset.concept === id));
  for (const concept of concepts) {
    const isHere = concept.dataset.concept === here;
    concept.classList.toggle("here", isHere);
    const link = concept.querySelector("a");
    if (isHere) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
}

function watch() {
  const inView = new Set();
  const header = document.querySelector(".lesson-header");
  let current = null;
  let timer;
  const wait = () => {
    clearTimeout(timer);
    if (current && !document.hidden) timer = setTimeout(read, SECONDS * 1000, current.id);
  };
  document.addEventListener("visibilitychange", wait);
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inView.add(target);
        else inView.delete(target);
      }
      // Who has just come, and sees the offer, reads nothing yet: it would be overwritten by what stands below it.
      const next = inView.has(header) ? null : blocks.find((block) => inView.has(block));
      if (next === current) return;
      current = next;
      wait();
    },
    { rootMargin: "-10% 0px -60% 0px" },
  );
  for (const each of [header, ...blocks]) observer.observe(each);
}

function read(block) {
  store(block, Date.now());
  markHere(block);
  send(block);
}

if ("IntersectionObserver" in window) {
  offer();
  watch();
  document.addEventListener("htmx:afterRequest", (event) => {
    // An answer makes a learner of a visitor.
    if (event.detail.successful && event.detail.requestConfig.verb === "post") kept = true;
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const last = stored(place.dataset.learner);
    if (last && event.detail.target.id === "concept-map") markHere(last.block);
  });
}
