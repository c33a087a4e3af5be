const lines = require("fs").readFileSync(0, "utf8").split("\n").filter((l) => l.length);
const value = (t) => t === "_" ? null : t[0] === "h" ? Buffer.from(t.slice(1), "hex").toString("utf8")
  : t === "Inf" ? Infinity : t === "-Inf" ? -Infinity : Number(t);
for (const line of lines) {
  const row = Object.create(null);
  line.split("\t").forEach((t, i) => { if (i < @NAME@.inputs.length) row[@NAME@.inputs[i]] = value(t); });
  const p = @NAME@(row);
  const label = p.prob ? "h" + Buffer.from(p.response, "utf8").toString("hex") : "_";
  console.log([p.node, label, ...(p.prob || [p.response])].join("\t"));
}
