// Keeps a draft on the server too, a moment after the last key: it is then there on every device of the learner.
//
// A text is sent with the revision that it continues. Where the server has another one by then, nothing is overwritten:
// `onConflict` is given that text, and nothing is sent until the learner has chosen. What cannot be sent stays in the
// browser's own store, and is tried again.

const PAUSE = 1500; // milliseconds after the last key
const RETRY = 30_000; // after a failure

export class DraftSync {
  /** `text()`: what the editor holds. `known`: whether the server knows this learner; a newcomer's keystrokes make none. */
  constructor({ url, token, draft, text, known, onSaved, onConflict }) {
    Object.assign(this, { url, token, draft, text, known, onSaved, onConflict });
    this.paused = false; // until the learner has chosen between two texts
    this.sending = null; // the request under way, or null
    this.timer = 0;
  }

  later(pause = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), pause);
  }

  cancel() {
    clearTimeout(this.timer);
  }

  now({ keepalive = false } = {}) {
    clearTimeout(this.timer);
    const text = this.text();
    if (!this.known || this.paused || this.sending || text === this.draft.base) return;
    this.draft.isSending(text);
    this.sending = this.#send(text, keepalive).finally(() => {
      this.sending = null;
      if (this.text() !== text) this.later();
    });
  }

  async #send(text, keepalive) {
    const body = new URLSearchParams({ csrfmiddlewaretoken: this.token, text, revision: this.draft.seen });
    try {
      const answer = await fetch(this.url, { method: "POST", body, keepalive });
      if (answer.ok) {
        this.draft.serverHas(text, (await answer.json()).revision);
        this.onSaved();
      } else if (answer.status === 409) {
        this.paused = true;
        this.onConflict(await answer.json());
      } else if (answer.status === 429 || answer.status >= 500) {
        this.later(RETRY);
      }
    } catch {
      this.later(RETRY);
    }
  }

  /** The learner has chosen: what is saved from now on continues the server's `revision`. */
  resolve(revision) {
    this.paused = false;
    this.draft.sawRevision(revision);
  }
}
