// Builds static/vendor from the pinned packages: `npm ci && npm run build`, then `python fonts.py` for the fonts.
// The same packages give the same bytes; `python fonts.py --check` compares them with static/vendor/SHA256SUMS.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const vendor = process.env.VENDOR_DIR ?? path.join(here, "..", "static", "vendor");
const modules = path.join(here, "node_modules");

function licencesOf(inputs) {
  const names = new Set(inputs.map((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean));
  return [...names].sort().map((name) => {
    const { version, license } = JSON.parse(readFileSync(path.join(modules, name, "package.json"), "utf8"));
    const file = readdirSync(path.join(modules, name)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${readFileSync(path.join(modules, name, file), "utf8").trim()}\n`;
  });
}

mkdirSync(path.join(vendor, "codemirror"), { recursive: true });
mkdirSync(path.join(vendor, "fonts"), { recursive: true });
const bundle = await build({
  absWorkingDir: here,
  entryPoints: ["editor.js"],
  outfile: path.join(vendor, "codemirror", "editor.js"),
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
});
writeFileSync(
  path.join(vendor, "codemirror", "LICENSES.txt"),
  licencesOf(Object.keys(bundle.metafile.inputs)).join("\n----\n\n"),
);

const serif = path.join(modules, "@fontsource-variable", "source-serif-4"); // fonts.py cuts the files
copyFileSync(path.join(serif, "LICENSE"), path.join(vendor, "fonts", "source-serif-4-LICENSE.txt"));
