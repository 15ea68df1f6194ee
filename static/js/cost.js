// <cost-explorer start="id of a JSON script">: pairs and memory of attention for one's own length, heads, layers and bytes.
// JSON: {tile, running, bytes, heads, layers, rows: [{tokens, …}]}. Its table stands in the page: all there is without this
// script.
import { cost, grouped, memory, WHOLE_FROM } from "./cost-model.js";
import { make, makeSvg } from "./dom.js";

const MOST = { tokens: 2 ** 20, heads: 256, layers: 256 };
const LEAST_EXPONENT = 4; // of the slider: 16 tokens
const BYTES = [1, 2, 4, 8];
const PER_DOUBLING = 4; // steps of the slider
const ANNOUNCE_AFTER = 500; // ms: a slider being drawn says nothing

// The picture, in units of its view box.
const PLOT = { width: 360, height: 290, start: 58, end: 8, top: 34, bottom: 50 };
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A power of ten as the axis writes it: 0.001, 1,000, 10⁶. */
function powerOfTen(power) {
  if (power < 0) return (10 ** power).toFixed(-power);
  return power < 6 ? grouped(10 ** power) : `10${[...String(power)].map((digit) => SUPERSCRIPTS[digit]).join("")}`;
}

class CostExplorer extends HTMLElement {
  connectedCallback() {
    if (this.controls) return;
    this.start = JSON.parse(document.getElementById(this.getAttribute("start")).textContent);
    const { bytes, heads, layers, rows } = this.start;
    this.chosen = { tokens: rows[Math.floor(rows.length / 2)].tokens, bytes, heads, layers };
    this.controls = this.makeControls();
    this.said = make("p", { class: "cost-said" });
    this.announced = make("p", { class: "visually-hidden", role: "status" });
    this.picture = make("figure", { class: "cost-picture" });
    this.table = make("div", { class: "table-scroll", dir: "ltr", tabindex: "0", role: "group", "aria-label": "Cost of each length" });
    this.append(make("div", { class: "cost-live" }, this.controls, this.said, this.announced, this.picture, this.table));
    this.dataset.live = "";
    this.show();
  }

  makeControls() {
    const most = Math.log2(MOST.tokens);
    const steps = { min: String(LEAST_EXPONENT), max: String(most), step: String(1 / PER_DOUBLING) };
    this.slider = make("input", { type: "range", ...steps, "aria-label": "Context length, in tokens", oninput: () => this.onSlider() });
    this.fields = { tokens: this.makeNumber("tokens"), heads: this.makeNumber("heads"), layers: this.makeNumber("layers") };
    this.bytes = make("select", { onchange: () => this.choose({ bytes: Number(this.bytes.value) }) });
    for (const bytes of BYTES) this.bytes.append(make("option", { value: bytes }, String(bytes)));
    this.problem = make("p", { class: "error", role: "alert", hidden: true });
    return make(
      "div",
      { class: "play-controls" },
      make("label", {}, "Context length, in tokens", this.fields.tokens),
      make("span", { class: "cost-slider" }, this.slider),
      make("label", {}, "heads", this.fields.heads),
      make("label", {}, "layers", this.fields.layers),
      make("label", {}, "bytes a number", this.bytes),
      this.problem,
    );
  }

  makeNumber(name) {
    const bounds = { min: "1", max: String(MOST[name]), step: "1", inputmode: "numeric" };
    return make("input", { type: "number", class: `cost-${name}`, ...bounds, oninput: () => this.onNumber(name) });
  }

  onSlider() {
    this.choose({ tokens: Math.round(2 ** Number(this.slider.value)) });
  }

  onNumber(name) {
    const value = this.fields[name].valueAsNumber;
    if (Number.isInteger(value) && value >= 1 && value <= MOST[name]) {
      this.choose({ [name]: value }, this.fields[name]);
    } else {
      this.fields[name].setAttribute("aria-invalid", "true");
      this.complain();
    }
  }

  /** Say what the first field that cannot be used should hold, if there is one. */
  complain() {
    const wrong = Object.keys(this.fields).find((name) => this.fields[name].getAttribute("aria-invalid") === "true");
    this.problem.hidden = !wrong;
    this.problem.textContent = wrong ? this.complaint(wrong) : "";
  }

  complaint(name) {
    return {
      tokens: `The context length is a whole number from 1 to ${grouped(MOST.tokens)}; what is shown is for the last one.`,
      heads: `The heads are a whole number from 1 to ${MOST.heads}; what is shown is for the last one.`,
      layers: `The layers are a whole number from 1 to ${MOST.layers}; what is shown is for the last one.`,
    }[name];
  }

  choose(change, typedIn = null) {
    this.chosen = { ...this.chosen, ...change };
    for (const name of Object.keys(change)) this.fields[name]?.setAttribute("aria-invalid", "false");
    this.show(typedIn);
  }

  /** Everything anew; a field that is being typed in, or holds what cannot be used, is left alone. */
  show(typedIn = null) {
    for (const [name, field] of Object.entries(this.fields)) {
      if (field !== typedIn && field.getAttribute("aria-invalid") !== "true") field.value = String(this.chosen[name]);
    }
    this.complain();
    this.slider.value = String(Math.log2(this.chosen.tokens));
    this.slider.setAttribute("aria-valuetext", `${grouped(this.chosen.tokens)} tokens`);
    this.bytes.value = String(this.chosen.bytes);
    this.tell();
    const caption = "Dots: the five lengths of the table. Ring: the one that is shown. Both scales are logarithmic.";
    this.picture.replaceChildren(this.draw(), make("figcaption", {}, caption));
    this.drawTable();
  }

  at(tokens) {
    return cost({ ...this.chosen, tokens }, this.start);
  }

  tell() {
    const { pairs, whole, tiled } = this.at(this.chosen.tokens);
    const tokens = grouped(this.chosen.tokens);
    const line = `${tokens} tokens: ${grouped(pairs)} pairs for each head in each layer. Kept whole, the scores take ${memory(whole, WHOLE_FROM)}; in tiles, ${memory(tiled)} at a time.`;
    this.said.textContent = line;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => (this.announced.textContent = line), ANNOUNCE_AFTER);
  }

  // --- the table -----------------------------------------------------------------------------------------------------

  // The lesson's lengths, each to be chosen, and the reader's own among them in its place.
  drawTable() {
    const lengths = this.start.rows.map((row) => row.tokens);
    const own = this.chosen.tokens;
    const all = [...new Set([...lengths, own])].sort((a, b) => a - b);
    const head = ["Tokens", "Pairs", "Kept whole", "In tiles"].map((text) => make("th", { scope: "col" }, text));
    const lines = all.map((tokens) => this.makeRow(tokens, lengths.includes(tokens)));
    const focused = this.table.contains(document.activeElement) ? document.activeElement.dataset.tokens : null;
    const table = make("table", {}, make("caption", {}, this.caption()));
    table.append(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines));
    this.table.replaceChildren(table);
    if (focused) this.table.querySelector(`[data-tokens="${focused}"]`)?.focus();
  }

  caption() {
    const { heads, layers, bytes } = this.chosen;
    const defaults = heads === this.start.heads && layers === this.start.layers && bytes === this.start.bytes;
    return defaults
      ? this.querySelector(".cost-static caption").textContent
      : `Heads: ${heads}; layers: ${layers}; bytes a number: ${bytes}; 1 MB = 10⁶ bytes`;
  }

  makeRow(tokens, ofLesson) {
    const current = tokens === this.chosen.tokens;
    const { pairs, whole, tiled } = this.at(tokens);
    const press = { type: "button", class: "link-button", "data-tokens": tokens, onclick: () => this.choose({ tokens }) };
    const name = ofLesson ? make("button", press, grouped(tokens)) : grouped(tokens);
    const header = make("th", { scope: "row" }, name);
    if (current) header.append(make("span", { class: "cost-here" }, " ◆ shown"));
    const row = make("tr", {}, header, ...[grouped(pairs), memory(whole, WHOLE_FROM), memory(tiled)].map((text) => make("td", {}, text)));
    if (current) row.setAttribute("class", "cost-current");
    if (current && ofLesson) name.setAttribute("aria-current", "true");
    return row;
  }

  // --- the picture ---------------------------------------------------------------------------------------------------

  draw() {
    const svg = makeSvg("svg", {
      class: "fig cost-plot",
      viewBox: `0 0 ${PLOT.width} ${PLOT.height}`,
      role: "img",
      "aria-label": "Memory against context length, both on logarithmic scales. The matrix kept whole rises twice as steeply as the length; tiles stay far below. The same numbers stand in the table below.",
    });
    this.scale();
    this.drawAxes(svg);
    for (const [way, line, text, name] of [
      ["whole", "cost-whole-line", "fig-hit-text", "kept whole"],
      ["tiled", "cost-tiled-line", "fig-a-text", "in tiles"],
    ]) {
      this.drawLine(svg, way, line, text, name);
    }
    return svg;
  }

  /** Bounds of both axes: powers of two of tokens, powers of ten of megabytes. */
  scale() {
    const least = this.at(2 ** LEAST_EXPONENT);
    const most = this.at(MOST.tokens);
    this.bounds = {
      x: [Math.min(LEAST_EXPONENT, Math.log2(this.chosen.tokens)), Math.log2(MOST.tokens)],
      y: [Math.floor(Math.log10(Math.min(least.whole, least.tiled))), Math.ceil(Math.log10(most.whole))],
    };
    if (this.bounds.x[0] < LEAST_EXPONENT) this.bounds.y[0] = Math.floor(Math.log10(this.at(1).whole));
  }

  x(tokens) {
    const [from, to] = this.bounds.x;
    return PLOT.start + ((Math.log2(tokens) - from) / (to - from)) * (PLOT.width - PLOT.start - PLOT.end);
  }

  y(megabytes) {
    const [from, to] = this.bounds.y;
    return PLOT.height - PLOT.bottom - ((Math.log10(megabytes) - from) / (to - from)) * (PLOT.height - PLOT.top - PLOT.bottom);
  }

  drawAxes(svg) {
    const [start, end, base] = [PLOT.start, PLOT.width - PLOT.end, PLOT.height - PLOT.bottom];
    const [from, to] = this.bounds.y;
    for (let power = Math.ceil(from / 3) * 3; power <= to; power += 3) {
      const y = this.y(10 ** power);
      svg.append(makeSvg("line", { x1: start, x2: end, y1: y, y2: y, class: "fig-faint" }));
      const at = { x: start - 6, y: y + 5, "text-anchor": "end", class: "fig-small fig-muted" };
      svg.append(makeSvg("text", at, powerOfTen(power)));
    }
    this.start.rows.forEach(({ tokens }, index) => {
      const x = this.x(tokens);
      svg.append(makeSvg("line", { x1: x, x2: x, y1: PLOT.top, y2: base, class: "fig-faint" }));
      const at = { x, y: base + 19, "text-anchor": "middle", class: "fig-small fig-muted" };
      if (index % 2 === 0) svg.append(makeSvg("text", at, grouped(tokens))); // there is no room for all
    });
    svg.append(makeSvg("line", { x1: start, x2: end, y1: base, y2: base, class: "fig-line" }));
    svg.append(makeSvg("text", { x: end, y: base + 40, "text-anchor": "end", class: "fig-small" }, "tokens"));
    svg.append(makeSvg("text", { x: start - 6, y: 16, "text-anchor": "end", class: "fig-small" }, "MB"));
  }

  drawLine(svg, way, lineClass, textClass, name) {
    const [from, to] = this.bounds.x;
    const points = [];
    for (let exponent = from; exponent <= to; exponent = Math.min(exponent + 0.5, to)) {
      points.push(exponent);
      if (exponent === to) break;
    }
    const at = (exponent) => `${this.x(2 ** exponent).toFixed(1)} ${this.y(this.at(2 ** exponent)[way]).toFixed(1)}`;
    svg.append(makeSvg("path", { d: `M ${points.map(at).join(" L ")}`, class: lineClass }));
    for (const { tokens } of this.start.rows) {
      svg.append(makeSvg("circle", { cx: this.x(tokens), cy: this.y(this.at(tokens)[way]), r: 3.5, class: `${textClass} cost-dot` }));
    }
    const [x, y] = [this.x(this.chosen.tokens), this.y(this.at(this.chosen.tokens)[way])];
    svg.append(makeSvg("circle", { cx: x, cy: y, r: 7.5, class: `${lineClass} cost-point` }));
    const end = this.at(2 ** (to - 4))[way];
    const label = { x: this.x(2 ** (to - 4)) - 8, y: this.y(end) - 10, "text-anchor": "end", class: `fig-strong ${textClass}` };
    svg.append(makeSvg("text", label, name));
  }
}

customElements.define("cost-explorer", CostExplorer);
