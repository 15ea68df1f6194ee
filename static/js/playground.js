// <attention-playground defaults="id of a JSON script">: attention over one's own words or numbers, nothing learned.
// JSON: {"words": [...], "x": [[...]], "Wq": [[...]], "Wk": [[...]], "Wv": [[...]]}; what it leaves out is the worked
// example's, but words alone get numbers made from their letters.
import { attention, product, vectorOf, wordsOf } from "./attention.js";

const WORKED_EXAMPLE = {
  words: ["the", "cat", "sat", "down"],
  x: [[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]],
  Wq: [[0, 1], [1, 0], [0, 1]],
  Wk: [[1, 0], [1, 1], [0, 1]],
  Wv: [[1, 0], [0, 1], [1, 1]],
};

const MAX_WORDS = 12;
const WIDTHS = [2, 16, 128];
const ROLES = { Q: "query", K: "key", V: "value" };
const SVG = "http://www.w3.org/2000/svg";
const CELL = 40;
const LABEL = 86;

const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0)}%`;
const fixed = (value) => (value === -Infinity ? "−∞" : value.toFixed(2).replace("-", "−"));

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function makeSvg(tag, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

function exampleOf(given) {
  if (given.words && !given.x) {
    const made = Object.entries(ROLES).map(([name, role]) => [name, given.words.map((word) => vectorOf(word, role, 2))]);
    return { words: given.words, ...Object.fromEntries(made) };
  }
  const { words, x, Wq, Wk, Wv } = { ...WORKED_EXAMPLE, ...given };
  return { words, Q: product(x, Wq), K: product(x, Wk), V: product(x, Wv) };
}

class AttentionPlayground extends HTMLElement {
  connectedCallback() {
    if (this.form) return;
    const source = document.getElementById(this.getAttribute("defaults"));
    this.example = exampleOf(JSON.parse(source.textContent));
    this.replaceChildren();
    this.form = this.makeControls();
    this.picture = make("div");
    this.reading = make("div", { class: "play-reading", role: "status" });
    this.table = make("details", {}, make("summary", {}, "The weights as a table"));
    this.numbers = make("details", {}, make("summary", {}, "Queries, keys and values"));
    const grid = make("div", { class: "play-grid" }, this.picture, this.reading);
    this.append(this.form, grid, this.table, this.numbers);
    this.restart();
  }

  makeControls() {
    this.words = make("input", { type: "text", autocomplete: "off", maxlength: "400", oninput: () => this.onWords() });
    this.causal = make("input", { type: "checkbox", onchange: () => this.update() });
    this.scale = make("input", { type: "checkbox", checked: true, onchange: () => this.update() });
    this.width = make("select", { onchange: () => this.onWidth() });
    for (const width of WIDTHS) this.width.append(make("option", { value: width }, String(width)));
    this.temperature = make("input", { type: "range", min: "0", max: "3", step: "0.1", oninput: () => this.update() });
    this.temperatureShown = make("output");
    const reset = make("button", { type: "button", class: "button small", onclick: () => this.restart() }, "Start again");
    this.note = make("p", { class: "quiet" });
    return make(
      "div",
      { class: "play-controls" },
      make("label", { class: "play-field" }, `Your words, up to ${MAX_WORDS}`, this.words),
      make("label", {}, this.scale, "divide by √d"),
      make("label", {}, this.causal, "causal mask"),
      make("label", {}, "width d", this.width),
      make("label", {}, "temperature", this.temperature, this.temperatureShown),
      reset,
      make("div", { class: "play-field" }, this.note),
    );
  }

  restart() {
    this.words.value = this.example.words.join(" ");
    this.width.value = "2";
    this.causal.checked = false;
    this.scale.checked = true;
    this.temperature.value = "1";
    this.tokens = [...this.example.words];
    this.matrices = Object.fromEntries(Object.keys(ROLES).map((name) => [name, this.example[name].map((row) => [...row])]));
    this.chosen = [Math.min(2, this.tokens.length - 1), Math.min(2, this.tokens.length - 1)];
    this.made = false;
    this.rebuild();
  }

  onWords() {
    const tokens = wordsOf(this.words.value, MAX_WORDS);
    if (!tokens.length) {
      this.note.className = "error";
      this.note.textContent = "Write at least one word; the picture shows the last ones.";
      return;
    }
    this.tokens = tokens;
    this.fromLetters();
  }

  onWidth() {
    this.fromLetters();
  }

  // A word of the worked example keeps its numbers at its place; every other word's are made from its letters.
  fromLetters() {
    const width = Number(this.width.value);
    for (const [name, role] of Object.entries(ROLES)) {
      this.matrices[name] = this.tokens.map((word, index) =>
        width === 2 && word === this.example.words[index] ? [...this.example[name][index]] : vectorOf(word, role, width),
      );
    }
    this.made = this.tokens.some((word, index) => width !== 2 || word !== this.example.words[index]);
    this.chosen = this.chosen.map((index) => Math.min(index, this.tokens.length - 1));
    this.rebuild();
  }

  rebuild() {
    this.note.className = "quiet";
    this.note.textContent = this.made
      ? "These vectors are made from the letters of the words: nothing was learned, so look for arithmetic in the picture, not for meaning."
      : "The numbers of the worked example. Choose a cell to read how it comes about.";
    this.drawNumbers();
    this.update();
  }

  update() {
    const temperature = Number(this.temperature.value);
    this.temperatureShown.textContent = temperature.toFixed(1);
    this.result = attention(this.matrices.Q, this.matrices.K, this.matrices.V, {
      causal: this.causal.checked,
      scale: this.scale.checked,
      temperature,
    });
    this.drawPicture();
    this.drawTable();
    this.read();
  }

  drawPicture() {
    const { tokens } = this;
    const side = LABEL + tokens.length * CELL + 2;
    const svg = makeSvg("svg", {
      class: "play-map fig",
      viewBox: `0 0 ${side} ${side}`,
      role: "img",
      "aria-label": "Weights: a row for each query, a column for each key. The same numbers stand in the table below.",
    });
    const short = (word) => (word.length > 9 ? `${word.slice(0, 8)}…` : word);
    tokens.forEach((word, index) => {
      const middle = LABEL + (index + 0.5) * CELL;
      svg.append(makeSvg("text", { x: LABEL - 8, y: middle + 5, "text-anchor": "end", class: "fig-ink fig-small" }, short(word)));
      const above = `translate(${middle + 4} ${LABEL - 8}) rotate(-60)`;
      svg.append(makeSvg("text", { transform: above, class: "fig-ink fig-small" }, short(word)));
    });
    this.result.weights.forEach((row, i) => row.forEach((weight, j) => this.drawCell(svg, weight, i, j)));
    svg.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-row]");
      if (cell) this.choose(Number(cell.dataset.row), Number(cell.dataset.column));
    });
    this.picture.replaceChildren(svg, this.makePickers());
  }

  drawCell(svg, weight, i, j) {
    const hidden = this.causal.checked && j > i;
    const step = weight === 0 ? 0 : Math.max(1, Math.round(weight * 10));
    const [row, column] = this.chosen;
    const classes = ["cell", hidden ? "fig-hidden" : `fig-heat-${step}`];
    if (i === row && j === column) classes.push("chosen");
    const place = { "data-row": i, "data-column": j };
    const x = LABEL + j * CELL;
    const y = LABEL + i * CELL;
    svg.append(makeSvg("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3, class: classes.join(" "), ...place }));
    const tone = step >= 6 ? "fig-on" : "fig-ink";
    const shown = Math.round(weight * 100);
    const at = { x: x + CELL / 2, y: y + CELL / 2 + 4.5, "text-anchor": "middle", "pointer-events": "none" };
    if (!hidden) svg.append(makeSvg("text", { ...at, class: `${tone} fig-small fig-number` }, String(shown)));
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
    const [mark] = this.picture.querySelectorAll(".chosen");
    mark?.classList.remove("chosen");
    this.picture.querySelector(`rect[data-row="${row}"][data-column="${column}"]`).classList.add("chosen");
    this.pickers.forEach((picker, part) => (picker.querySelector("select").selectedIndex = this.chosen[part]));
    this.read();
  }

  read() {
    const [i, j] = this.chosen;
    const { scores, scaled, weights, output } = this.result;
    const [query, key] = [this.tokens[i], this.tokens[j]];
    const sum = weights[i].reduce((total, weight) => total + weight, 0);
    const lines = [`${query} looks at ${key}: ${percent(weights[i][j])} of its attention.`];
    if (scaled[i][j] === -Infinity) {
      lines.push(`${key} comes later, so the mask puts −∞ in the place of its score ${fixed(scores[i][j])}.`);
    } else if (this.scale.checked) {
      lines.push(`Query · key = ${fixed(scores[i][j])}; divided by √${this.width.value} that is ${fixed(scaled[i][j])}.`);
    } else {
      lines.push(`Query · key = ${fixed(scores[i][j])}, not divided.`);
    }
    lines.push(`The row of ${query} sums to ${fixed(sum)}.`);
    const [first, ...rest] = output[i].slice(0, 2).map(fixed);
    lines.push(`Its output: ${[first, ...rest].join(", ")}${output[i].length > 2 ? ", …" : ""}`);
    const [head, ...others] = lines.map((line) => make("p", {}, line));
    head.replaceChildren(make("strong", {}, lines[0]));
    this.reading.replaceChildren(head, ...others);
  }

  drawTable() {
    const head = make("tr", {}, make("th", { scope: "col" }, "query"));
    for (const word of this.tokens) head.append(make("th", { scope: "col" }, word));
    head.append(make("th", { scope: "col" }, "sum"), make("th", { scope: "col" }, "output"));
    const body = make("tbody");
    this.result.weights.forEach((row, i) => {
      const line = make("tr", {}, make("th", { scope: "row" }, this.tokens[i]));
      for (const weight of row) line.append(make("td", { class: "number" }, fixed(weight)));
      const sum = row.reduce((total, weight) => total + weight, 0);
      const blend = this.result.output[i].slice(0, 2).map(fixed).join(", ");
      line.append(make("td", { class: "number" }, fixed(sum)));
      line.append(make("td", { class: "number" }, this.result.output[i].length > 2 ? `${blend}, …` : blend));
      body.append(line);
    });
    const table = make("table", {}, make("caption", {}, "Weights: rows are queries, columns are keys"), make("thead", {}, head), body);
    const scroll = make("div", { class: "play-table-scroll", tabindex: "0", role: "group", "aria-label": "Weights" }, table);
    this.table.replaceChildren(this.table.firstElementChild, scroll);
  }

  drawNumbers() {
    const summary = this.numbers.firstElementChild;
    if (this.width.value !== "2") {
      const text = `At width ${this.width.value} there are too many numbers to type; they have mean 0 and variance 1.`;
      this.numbers.replaceChildren(summary, make("p", { class: "quiet" }, text));
      return;
    }
    const tables = make("div", { class: "play-numbers" });
    for (const [name, role] of Object.entries(ROLES)) tables.append(this.makeNumbers(name, role));
    this.numbers.replaceChildren(summary, tables);
  }

  makeNumbers(name, role) {
    const body = make("tbody");
    this.matrices[name].forEach((row, i) => {
      const line = make("tr", {}, make("th", { scope: "row" }, this.tokens[i]));
      row.forEach((value, column) => line.append(make("td", {}, this.makeNumber(name, role, value, i, column))));
      body.append(line);
    });
    return make("table", { dir: "ltr" }, make("caption", {}, `${name}, the ${role === "query" ? "queries" : `${role}s`}`), body);
  }

  makeNumber(name, role, value, i, column) {
    const label = `${role} of ${this.tokens[i]}, number ${column + 1}`;
    const input = make("input", { type: "number", step: "any", min: "-1000", max: "1000", value, "aria-label": label });
    input.addEventListener("input", () => {
      const typed = input.valueAsNumber;
      const usable = Number.isFinite(typed) && Math.abs(typed) <= 1000;
      input.setAttribute("aria-invalid", String(!usable));
      if (!usable) return;
      this.matrices[name][i][column] = typed;
      this.update();
    });
    return input;
  }
}

customElements.define("attention-playground", AttentionPlayground);
