// The playground's picture and tables: weights and numbers in, elements out.
import { make, makeSvg } from "./dom.js";

const CELL = 40;
const LABEL = 86; // beside the rows
const TOP = 78; // above the columns
const SUM = 56;

export const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0)}%`;
export const fixed = (value) => (value === -Infinity ? "−∞" : value.toFixed(2).replace("-", "−"));

const total = (row) => row.reduce((sum, value) => sum + value, 0);
const short = (word) => (word.length > 9 ? `${word.slice(0, 8)}…` : word);

/** A heatmap of `weights` (T, T) in percent: a row for each query, a column for each key, and each row's sum. */
export function drawMap(tokens, weights, { causal, chosen }) {
  const side = tokens.length * CELL;
  const sums = LABEL + side + SUM - 6;
  const size = tokens.length > 8 ? "play-map-large" : tokens.length > 5 ? "play-map-medium" : "play-map-small";
  const svg = makeSvg("svg", {
    class: `play-map fig ${size}`,
    viewBox: `0 0 ${LABEL + side + SUM} ${TOP + side + 2}`,
    role: "img",
    "aria-label": "Weights in percent: a row for each query, a column for each key. The same numbers stand in the table below.",
  });
  tokens.forEach((word, index) => {
    const middle = (index + 0.5) * CELL;
    svg.append(makeSvg("text", { x: LABEL - 8, y: TOP + middle + 5, "text-anchor": "end", class: "fig-small fig-word" }, short(word)));
    const above = `translate(${LABEL + middle + 4} ${TOP - 8}) rotate(-60)`;
    svg.append(makeSvg("text", { transform: above, class: "fig-small fig-word" }, short(word)));
  });
  weights.forEach((row, i) => row.forEach((weight, j) => drawCell(svg, weight, i, j, causal && j > i, chosen)));
  svg.append(makeSvg("text", { x: sums, y: TOP - 10, "text-anchor": "end", class: "fig-small fig-muted" }, "sum"));
  weights.forEach((row, i) => {
    const at = { x: sums, y: TOP + (i + 0.5) * CELL + 4.5, "text-anchor": "end" };
    svg.append(makeSvg("text", { ...at, class: "fig-small fig-muted play-sum" }, percent(total(row))));
  });
  return svg;
}

function drawCell(svg, weight, i, j, hidden, [row, column]) {
  const step = weight === 0 ? 0 : Math.max(1, Math.round(weight * 10));
  const classes = ["cell", hidden ? "fig-hidden" : `fig-heat-${step}`];
  if (i === row && j === column) classes.push("chosen");
  const [x, y] = [LABEL + j * CELL, TOP + i * CELL];
  const place = { "data-row": i, "data-column": j };
  svg.append(makeSvg("rect", { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3, class: classes.join(" "), ...place }));
  const tone = step >= 6 ? "fig-on" : "fig-ink";
  const at = { x: x + CELL / 2, y: y + CELL / 2 + 4.5, "text-anchor": "middle", "pointer-events": "none" };
  if (!hidden) svg.append(makeSvg("text", { ...at, class: `${tone} fig-small fig-number` }, String(Math.round(weight * 100))));
}

/** Mark one cell of a map in `picture`, and no other. */
export function markCell(picture, row, column) {
  picture.querySelector(".chosen")?.classList.remove("chosen");
  picture.querySelector(`rect[data-row="${row}"][data-column="${column}"]`).classList.add("chosen");
}

/** Weights, their sums and the output as a table that scrolls by itself. */
export function weightsTable(tokens, { weights, output }) {
  const head = ["query", ...tokens, "sum", "output"].map((text) => make("th", { scope: "col" }, text));
  const lines = weights.map((row, i) => {
    const blend = output[i].slice(0, 2).map(fixed).join(", ");
    const cells = [...row.map(fixed), fixed(total(row)), output[i].length > 2 ? `${blend}, …` : blend];
    return make("tr", {}, make("th", { scope: "row" }, tokens[i]), ...cells.map((text) => make("td", { class: "number" }, text)));
  });
  const caption = make("caption", {}, "Weights: rows are queries, columns are keys");
  const table = make("table", { dir: "ltr" }, caption, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines));
  return make("div", { class: "play-table-scroll", dir: "ltr", tabindex: "0", role: "group", "aria-label": "Weights" }, table);
}

/** A matrix with a field for each number, which `field(value, row, column)` makes. */
export function numbersTable(caption, tokens, matrix, field) {
  const lines = matrix.map((row, i) => {
    const cells = row.map((value, column) => make("td", {}, field(value, i, column)));
    return make("tr", {}, make("th", { scope: "row" }, tokens[i]), ...cells);
  });
  return make("table", { dir: "ltr" }, make("caption", {}, caption), make("tbody", {}, ...lines));
}
