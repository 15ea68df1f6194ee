// One learner's draft for one exercise, in the browser's own store, shared by its tabs.
//
// A draft remembers the server's text that it was edited from (`base`) and counts its revisions. So no clock is
// needed to tell which text is the newer: one whose base is what the server still has continues it; and a tab that
// has not seen the latest revision does not overwrite it without being told to.

export class Draft {
  constructor(storage, learner, exercise) {
    this.storage = storage;
    this.key = `heed:draft:${learner}:${exercise}`;
    this.base = "";
    this.revision = 0;
    if (learner !== "visitor") this.#inherit(`heed:draft:visitor:${exercise}`);
  }

  // What a visitor wrote belongs to whoever signs in next, as their progress does.
  #inherit(visitorKey) {
    const visitors = this.#get(visitorKey);
    if (visitors === null) return;
    if (this.#get(this.key) === null) this.#set(this.key, visitors);
    this.#attempt(() => this.storage.removeItem(visitorKey));
  }

  /**
   * What to show on a page whose server sent `server`: {text, offered}. `offered` is a text that was never handed in
   * and is not shown, or null. `explicit`: this very text was asked for (restored, or refused a moment ago).
   */
  opening(server, explicit) {
    this.base = server;
    const stored = this.#get(this.key);
    if (stored === null || stored.text === server) {
      this.revision = stored?.revision ?? 0;
      return { text: server, offered: null };
    }
    this.revision = stored.revision;
    if (!explicit && stored.base === server) return { text: stored.text, offered: null };
    return { text: server, offered: stored.text === stored.base ? null : stored.text };
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
    const saved = this.#set(this.key, { text, base: this.base, revision: this.revision });
    return saved ? "saved" : "full";
  }

  /** Take over what another tab saved; its text. */
  adopt() {
    const stored = this.#get(this.key);
    this.revision = stored.revision;
    this.base = stored.base;
    return stored.text;
  }

  /** The server has this text now: further edits start from it. */
  handedIn(text) {
    this.base = text;
    const stored = this.#get(this.key);
    if (stored !== null) this.overwrite(stored.text);
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
