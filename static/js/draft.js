// One learner's draft for one exercise, in the browser's own store, shared by its tabs.
//
// A draft remembers the text that the server has (`base`) and which revision of the server's draft that was (`seen`),
// and counts its own revisions. So no clock is needed to tell which text is the newer: one whose base is what the server
// still has continues it; and neither a tab nor a device that has not seen the latest revision overwrites it without
// being told to.

const SENT_KEPT = 3;

export class Draft {
  constructor(storage, learner, exercise) {
    this.storage = storage;
    this.key = `heed:draft:${learner}:${exercise}`;
    this.base = "";
    this.seen = 0;
    this.sent = []; // texts that are on their way to the server, the last few
    this.revision = 0;
    this.text = null; // as this tab last read or wrote it
    if (learner !== "visitor") this.#inherit(`heed:draft:visitor:${exercise}`);
  }

  // What a visitor wrote belongs to whoever signs in next, as their progress does. Of two drafts the server has kept the
  // user's own, so the visitor's (`inherited`) may be nowhere but here. It waits where this browser has one of the user's
  // that the server has not.
  #inherit(visitorKey) {
    const visitors = this.#get(visitorKey);
    const own = this.#get(this.key);
    if (visitors === null || (own !== null && own.text !== own.base)) return;
    const revision = Math.max(visitors.revision, own?.revision ?? 0) + 1;
    if (this.#set(this.key, { ...visitors, revision, inherited: true })) {
      this.#attempt(() => this.storage.removeItem(visitorKey));
    }
  }

  /**
   * What to show on a page whose server sent `server`, and `seen` as the revision of its draft: {text, offered}.
   * `offered` is a text that the server never got and that is not shown, or null. `explicit`: this very text was asked
   * for (restored, or refused a moment ago).
   */
  opening(server, explicit, seen = 0) {
    this.base = server;
    this.seen = seen;
    this.text = server;
    const stored = this.#get(this.key);
    if (stored === null || stored.text === server) {
      this.revision = stored?.revision ?? 0;
      return { text: server, offered: null };
    }
    this.revision = stored.revision;
    if (!explicit && [stored.base, ...(stored.sent ?? [])].includes(server)) {
      this.text = stored.text;
      return { text: stored.text, offered: null };
    }
    const kept = stored.text === stored.base && !stored.inherited;
    return { text: server, offered: kept ? null : stored.text };
  }

  /** "saved"; "newer" if another tab saved since, and then nothing was written; "full" if the store refuses. */
  save(text) {
    const stored = this.#get(this.key);
    if (stored !== null && stored.revision > this.revision && stored.text !== text) return "newer";
    return this.overwrite(text);
  }

  overwrite(text) {
    const latest = this.#get(this.key)?.revision ?? 0;
    this.revision = Math.max(latest, this.revision) + 1;
    this.text = text;
    const saved = this.#set(this.key, { text, base: this.base, seen: this.seen, sent: this.sent, revision: this.revision });
    return saved ? "saved" : "full";
  }

  /** Whether another tab saved another text than the one that this tab last read or wrote. */
  changedElsewhere() {
    const stored = this.#get(this.key);
    return stored !== null && stored.text !== this.text;
  }

  /** Take over what another tab saved; its text. */
  adopt() {
    const stored = this.#get(this.key);
    this.revision = stored.revision;
    this.base = stored.base;
    this.seen = Math.max(stored.seen ?? 0, this.seen);
    this.text = stored.text;
    return stored.text;
  }

  /** The server has this text now, handed in or as a draft of the revision `seen`: further edits start from it. */
  serverHas(text, seen = this.seen) {
    this.base = text;
    this.seen = seen;
    this.sent = [];
    const stored = this.#get(this.key);
    if (stored !== null && stored.revision <= this.revision) this.overwrite(stored.text);
  }

  /** The server may have this text from now on, even if its answer does not arrive. */
  isSending(text) {
    this.sent = [...this.sent.filter((each) => each !== text), text].slice(-SENT_KEPT);
    const stored = this.#get(this.key);
    if (stored !== null && stored.revision <= this.revision) this.overwrite(stored.text);
  }

  /** The server has another text: what is saved next is saved over that one, which the learner has seen by then. */
  sawRevision(seen) {
    this.seen = seen;
  }

  #get(key) {
    try {
      const stored = JSON.parse(this.storage.getItem(key));
      return typeof stored?.text === "string" && Number.isInteger(stored.revision) ? stored : null;
    } catch {
      return null;
    }
  }

  #set(key, value) {
    return this.#attempt(() => this.storage.setItem(key, JSON.stringify(value)));
  }

  #attempt(action) {
    try {
      action();
      return true;
    } catch {
      return false;
    }
  }
}
