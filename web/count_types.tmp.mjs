import { parseSync } from "oxc-parser";
import { readFileSync } from "node:fs";
import { execSync } from "node:child_process";
const rev = process.argv[2];
const files = execSync(rev === "work" ? "git ls-files web" : `git ls-tree -r --name-only ${rev} web`, { encoding: "utf8", cwd: ".." , maxBuffer: 1e8}).split("\n").filter((f) => f.endsWith(".ts") && !f.includes("generated/") && !f.includes("node_modules"));
const folders = {}; const lines = [];
for (const file of files) {
  let text;
  try { text = rev === "work" ? readFileSync(`../${file}`, "utf8") : execSync(`git show ${rev}:${file}`, { encoding: "utf8", cwd: "..", maxBuffer: 1e8 }); } catch { continue; }
  const { program } = parseSync(file, text, { lang: file.endsWith(".d.ts") ? "dts" : "ts" });
  const folder = file.split("/").slice(1, file.startsWith("web/kernel") || file.startsWith("web/ui") || file.startsWith("web/page") ? 3 : 2).filter((p) => !p.endsWith(".ts")).join("/") || ".";
  const row = (folders[folder] ??= { any: 0, as: 0 });
  const walk = (node) => {
    if (!node || typeof node !== "object") return;
    if (Array.isArray(node)) return node.forEach(walk);
    if (node.type === "TSAnyKeyword") row.any++;
    if (node.type === "TSAsExpression" || node.type === "TSTypeAssertion") {
      const t = text.slice(node.typeAnnotation.start, node.typeAnnotation.end);
      if (t !== "const") { row.as++; lines.push(`${file}:${text.slice(0, node.start).split("\n").length}: ${text.slice(node.start, node.end).replace(/\s+/g, " ").slice(0, 110)}`); }
    }
    for (const key in node) if (key !== "type" && key !== "start" && key !== "end") walk(node[key]);
  };
  walk(program);
}
const total = Object.values(folders).reduce((a, b) => ({ any: a.any + b.any, as: a.as + b.as }), { any: 0, as: 0 });
if (process.argv[3] === "lines") console.log(lines.join("\n"));
else for (const [f, r] of Object.entries({ ...folders, total }).sort()) if (r.any || r.as) console.log(f, r.any, r.as);
