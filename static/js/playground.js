// <attention-playground states="id of a JSON script">: attention over one's own words or numbers, nothing learned.
// JSON: {preset id: state}, a state being {words, width, causal, scale, temperature} and, at width 2, {Q, K, V}. The page
// holds a [data-preset] for each, with a heading, what to look for, and its weights as a table: all there is without this
// script. The address keeps the state (playground-link.js), so that a reload, going back, and a copied link find it again.
import { attention, vectorOf, wordsOf } from "./attention.js";
import { make } from "./dom.js";
import { decode, encode, isLink, LIMITS, LinkError, MATRICES, OWN_WIDTH, WIDTHS } from "./playground-link.js";
import { drawMap, fixed, markCell, numbersTable, percent, weightsTable } from "./playground-picture.js";

const ROLES = { Q: "query", K: "key", V: "value" };
const KEEP_AFTER = 300; // ms after the last change: browsers limit how often the address may change

class AttentionPlayground extends HTMLElement {
  connectedCallback() {
    if (this.controls) return;
    this.states = JSON.parse(document.getElementById(this.getAttribute("states")).textContent);
    this.presets = this.readPresets();
    this.controls = this.makeControls();
    this.picture = make("div", { class: "play-picture" });
    this.reading = make("div", { class: "play-reading", role: "status" });
    this.grid = make("div", { class: "play-grid" }, this.picture, this.reading);
    this.table = make("details", {}, make("summary", {}, "The weights as a table"));
    this.numbers = make("details", {}, make("summary", {}, "Queries, keys and values"));
    const live = make("div", { class: "play-live" }, this.makePresets(), this.controls, this.grid, this.table, this.numbers);
    live.append(this.makeLink());
    this.append(live);
    this.dataset.live = "";
    addEventListener("popstate", (event) => this.onAddress(event.state));
    this.begin();
  }

  // --- the state -----------------------------------------------------------------------------------------------------

  get state() {
    const { tokens: words, width } = this;
    const state = { words, width, causal: this.causal.checked, scale: this.scale.checked };
    state.temperature = Number(this.temperature.value);
    return width === OWN_WIDTH ? { ...state, ...this.matrices } : state;
  }

  /** Show a whole state. What was typed before is forgotten. */
  open(state) {
    this.tokens = [...state.words];
    this.words.value = this.tokens.join(" ");
    this.widths.value = String(state.width);
    this.causal.checked = state.causal;
    this.scale.checked = state.scale;
    this.temperature.value = String(state.temperature);
    this.memory = new Map();
    const given = (index) => Object.fromEntries(MATRICES.map((name) => [name, [...state[name][index]]]));
    if (state.width === OWN_WIDTH) this.keys().forEach((key, index) => this.memory.set(key, given(index)));
    this.chosen = [Math.min(2, this.tokens.length - 1), Math.min(2, this.tokens.length - 1)];
    this.rebuild();
  }

  get width() {
    return Number(this.widths.value);
  }

  // A name for each word: the same word a second time has numbers of its own.
  keys() {
    const counted = new Map();
    return this.tokens.map((word) => {
      counted.set(word, (counted.get(word) ?? 0) + 1);
      return `${word} ${counted.get(word)}`;
    });
  }

  // At width 2 a word keeps its numbers, wherever it goes; a new word's are made from its letters.
  findNumbers() {
    const made = (word) => Object.fromEntries(MATRICES.map((name) => [name, vectorOf(word, ROLES[name], this.width)]));
    const rows = this.keys().map((key, index) => {
      if (this.width !== OWN_WIDTH) return made(this.tokens[index]);
      if (!this.memory.has(key)) this.memory.set(key, made(this.tokens[index]));
      return this.memory.get(key);
    });
    this.matrices = Object.fromEntries(MATRICES.map((name) => [name, rows.map((row) => row[name])]));
  }

  get isMade() {
    const same = (row, word, name) => row.join() === vectorOf(word, ROLES[name], this.width).join();
    return this.tokens.some((word, i) => MATRICES.every((name) => same(this.matrices[name][i], word, name)));
  }

  // --- presets, and the address --------------------------------------------------------------------------------------

  readPresets() {
    return [...this.querySelectorAll("[data-preset]")].map((element) => ({
      id: element.dataset.preset,
      title: element.querySelector("[data-preset-title]").textContent,
      look: element.querySelector("[data-preset-look]"),
      state: this.states[element.dataset.preset],
    }));
  }

  makePresets() {
    this.buttons = this.presets.map((preset) =>
      make("button", { type: "button", class: "button small", onclick: () => this.choosePreset(preset) }, preset.title),
    );
    this.look = make("div", { class: "play-look", role: "status" });
    const group = make("div", { class: "play-presets", role: "group", "aria-label": "Settings to begin with" }, ...this.buttons);
    return make("div", {}, group, this.look);
  }

  choosePreset(preset) {
    this.notice.hidden = true;
    this.open(preset.state);
    this.showLook(preset);
    this.keep({ step: true });
  }

  showLook(preset) {
    this.look.replaceChildren(...(preset ? [preset.look.cloneNode(true)] : []));
  }

  presetOf(fragment) {
    return this.presets.find((preset) => encode(preset.state) === fragment);
  }

  begin() {
    const [first] = this.presets;
    this.open(first.state);
    this.showLook(first);
    this.kept = encode(this.state);
    this.onAddress(history.state);
    const [visit] = performance.getEntriesByType("navigation");
    if (isLink(location.hash) && visit?.type === "navigate") this.scrollIntoView({ behavior: "instant" });
  }

  // Every entry of the history that the playground has touched says what it showed: by its fragment, or aside.
  onAddress(noted) {
    const fragment = isLink(location.hash) ? location.hash.slice(1) : noted?.play;
    clearTimeout(this.waiting);
    if (fragment) this.openFragment(fragment);
  }

  openFragment(fragment) {
    this.notice.hidden = true;
    try {
      this.open(decode(fragment));
      this.showLook(this.presetOf(fragment));
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.open(this.presets[0].state);
      this.showLook(this.presets[0]);
      this.notice.textContent = `${error.message} Here is the playground as it begins.`;
      this.notice.hidden = false;
    }
    this.kept = encode(this.state);
  }

  /** Write the state into the address: a step of its own to go back from, or in place of what is there. */
  keep({ step = false } = {}) {
    clearTimeout(this.waiting);
    const fragment = encode(this.state);
    if (fragment === this.kept) return;
    const elsewhere = location.hash && !isLink(location.hash);
    if (step || elsewhere) {
      history.replaceState({ ...history.state, play: this.kept }, "");
      history.pushState({ play: fragment }, "", `#${fragment}`);
    } else {
      history.replaceState({ ...history.state, play: fragment }, "", `#${fragment}`);
    }
    this.kept = fragment;
  }

  keepSoon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.keep(), KEEP_AFTER);
  }

  makeLink() {
    this.copied = make("span", { role: "status" });
    this.address = make("input", { type: "text", class: "play-address", readonly: "", hidden: true, "aria-label": "The link" });
    const copy = make("button", { type: "button", class: "button small", onclick: () => this.copyLink() }, "Copy link");
    const again = () => this.choosePreset(this.presets[0]);
    const reset = make("button", { type: "button", class: "button small", onclick: again }, "Start again");
    return make("div", { class: "play-link" }, reset, copy, this.copied, this.address);
  }

  async copyLink() {
    const link = new URL(`#${encode(this.state)}`, location.href).href;
    this.copied.textContent = "";
    try {
      await navigator.clipboard.writeText(link);
      this.address.hidden = true;
      this.copied.textContent = "Copied. The link carries your words, numbers and switches.";
    } catch {
      // The browser gives no access to its clipboard, as on a page without https.
      this.address.value = link;
      this.address.hidden = false;
      this.address.select();
      this.copied.textContent = "Your browser does not let the page copy it: here is the link, to copy by hand.";
    }
  }

  // --- controls ------------------------------------------------------------------------------------------------------

  makeControls() {
    const changed = () => this.changed();
    this.words = make("input", { type: "text", dir: "auto", autocomplete: "off", maxlength: String(LIMITS.letters), oninput: () => this.onWords() });
    this.causal = make("input", { type: "checkbox", onchange: changed });
    this.scale = make("input", { type: "checkbox", onchange: changed });
    this.widths = make("select", { onchange: () => this.onWidth() });
    for (const width of WIDTHS) this.widths.append(make("option", { value: width }, String(width)));
    const range = { min: "0", max: String(LIMITS.temperature), step: "0.1" };
    this.temperature = make("input", { type: "range", ...range, oninput: changed });
    this.temperatureShown = make("output");
    this.notice = make("p", { class: "notice bad play-notice", role: "alert", hidden: true });
    this.note = make("p", { class: "quiet" });
    return make(
      "div",
      { class: "play-controls" },
      this.notice,
      make("label", { class: "play-field" }, `Your words, up to ${LIMITS.words}`, this.words),
      make("label", {}, this.scale, "divide by √d"),
      make("label", {}, this.causal, "causal mask"),
      make("label", {}, "width d", this.widths),
      make("label", {}, "temperature", this.temperature, this.temperatureShown),
      make("div", { class: "play-field", role: "status" }, this.note),
    );
  }

  onWords() {
    const all = wordsOf(this.words.value, Infinity);
    if (!all.length) {
      this.say("Write at least one word; the picture shows the last ones.", true);
      return;
    }
    this.tokens = all.slice(0, LIMITS.words);
    this.showLook(null); // it spoke of other words
    this.chosen = this.chosen.map((index) => Math.min(index, this.tokens.length - 1));
    this.rebuild();
    if (all.length > LIMITS.words) this.say(`The picture has room for ${LIMITS.words} words, and shows the first ones.`, true);
    this.keepSoon();
  }

  onWidth() {
    this.rebuild();
    this.keepSoon();
  }

  say(text, wrong = false) {
    this.note.className = wrong ? "error" : "quiet";
    if (this.note.textContent !== text) this.note.textContent = text;
  }

  /** After a switch or a number has changed. */
  changed() {
    this.update();
    this.keepSoon();
  }

  /** After words or width have changed: other numbers, another picture. */
  rebuild() {
    this.findNumbers();
    this.drawNumbers();
    this.grid.classList.toggle("play-grid-wide", this.tokens.length > 8);
    this.update();
  }

  explain() {
    this.say(
      this.isMade
        ? "Vectors are made from the letters of the words: nothing was learned, so look for arithmetic in the picture, not for meaning."
        : "Choose a cell to read how its number comes about.",
    );
  }

  update() {
    const { causal, scale, temperature } = this.state;
    this.explain();
    this.temperatureShown.textContent = String(temperature);
    this.result = attention(this.matrices.Q, this.matrices.K, this.matrices.V, { causal, scale, temperature });
    const current = this.presetOf(encode(this.state));
    this.buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(this.presets[index] === current)));
    this.drawPicture();
    this.table.replaceChildren(this.table.firstElementChild, weightsTable(this.tokens, this.result));
    this.read();
  }

  // --- the picture, and what a number in it means -----------------------------------------------------------------------

  drawPicture() {
    const svg = drawMap(this.tokens, this.result.weights, { causal: this.causal.checked, chosen: this.chosen });
    svg.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-row]");
      if (cell) this.choose(Number(cell.dataset.row), Number(cell.dataset.column));
    });
    const scroll = make("div", { class: "play-map-scroll", dir: "ltr", tabindex: "0", role: "group", "aria-label": "Weights, drawn" }, svg);
    this.picture.replaceChildren(scroll, this.makePickers());
  }

  // The same choice by keyboard: two lists, so that no cell of the picture needs a focus of its own.
  makePickers() {
    const picker = (label, part) => {
      const select = make("select", {
        onchange: () => {
          const chosen = [...this.chosen];
          chosen[part] = select.selectedIndex;
          this.choose(...chosen);
        },
      });
      this.tokens.forEach((word, index) => select.append(make("option", {}, `${index + 1} ${word}`)));
      select.selectedIndex = this.chosen[part];
      return make("label", {}, label, select);
    };
    this.pickers = [picker("query", 0), picker("key", 1)];
    return make("div", { class: "play-controls" }, ...this.pickers);
  }

  choose(row, column) {
    this.chosen = [row, column];
    markCell(this.picture, row, column);
    this.pickers.forEach((picker, part) => (picker.querySelector("select").selectedIndex = this.chosen[part]));
    this.read();
  }

  read() {
    const [i, j] = this.chosen;
    const { scores, scaled, weights, output } = this.result;
    const [query, key] = [this.tokens[i], this.tokens[j]];
    const { scale, temperature } = this.state;
    const sum = weights[i].reduce((total, weight) => total + weight, 0);
    const lines = [`${query} looks at ${key}: ${percent(weights[i][j])} of its attention.`];
    if (scaled[i][j] === -Infinity) {
      lines.push(`${key} comes later, so the mask puts −∞ in the place of its score ${fixed(scores[i][j])}.`);
    } else if (scale) {
      lines.push(`Query · key = ${fixed(scores[i][j])}; divided by √${this.width} that is ${fixed(scaled[i][j])}.`);
    } else {
      lines.push(`Query · key = ${fixed(scores[i][j])}, not divided.`);
    }
    if (temperature === 0) lines.push("At temperature 0 the highest score takes all.");
    else if (temperature !== 1 && scaled[i][j] !== -Infinity) {
      lines.push(`Divided by the temperature ${temperature} too, it is ${fixed(scaled[i][j] / temperature)}.`);
    }
    lines.push(`The row of ${query} sums to ${fixed(sum)}.`);
    const shown = output[i].slice(0, OWN_WIDTH).map(fixed).join(", ");
    lines.push(output[i].length > OWN_WIDTH ? `Its output begins with ${shown}.` : `Its output: ${shown}`);
    const [head, ...others] = lines;
    this.reading.replaceChildren(make("p", {}, make("strong", {}, head)), ...others.map((line) => make("p", {}, line)));
  }

  // --- numbers of one's own ---------------------------------------------------------------------------------------------

  drawNumbers() {
    const summary = this.numbers.firstElementChild;
    if (this.width !== OWN_WIDTH) {
      const text = `At width ${this.width} there are too many numbers to type; they have mean 0 and variance 1.`;
      this.numbers.replaceChildren(summary, make("p", { class: "quiet" }, text));
      return;
    }
    const captions = { Q: "Q, the queries", K: "K, the keys", V: "V, the values" };
    const tables = MATRICES.map((name) =>
      numbersTable(captions[name], this.tokens, this.matrices[name], (value, i, column) => this.makeNumber(name, value, i, column)),
    );
    this.numbers.replaceChildren(summary, make("div", { class: "play-numbers" }, ...tables));
  }

  makeNumber(name, value, i, column) {
    const label = `${ROLES[name]} of ${this.tokens[i]}, number ${column + 1}`;
    const bounds = { min: String(-LIMITS.value), max: String(LIMITS.value) };
    const input = make("input", { type: "number", step: "any", ...bounds, value, "aria-label": label });
    input.addEventListener("input", () => {
      const typed = input.valueAsNumber;
      const usable = Number.isFinite(typed) && Math.abs(typed) <= LIMITS.value;
      input.setAttribute("aria-invalid", String(!usable));
      if (!usable) {
        this.say("Write a number from −1000 to 1000; the picture shows the last one.", true);
        return;
      }
      this.matrices[name][i][column] = typed;
      this.changed();
    });
    return input;
  }
}

customElements.define("attention-playground", AttentionPlayground);
