// After everything was deleted: drafts and reading positions in this browser go too. Others who use this browser keep
// theirs. Only on the way from the page that deletes: a link from elsewhere must not do it.

const learner = location.hash.slice(1);
const from = document.referrer && new URL(document.referrer);

if (learner && from?.origin === location.origin && from.pathname.endsWith("/progress/delete/")) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("heed:") && key.split(":")[2] === learner) localStorage.removeItem(key);
  }
  history.replaceState(null, "", location.pathname);
}
