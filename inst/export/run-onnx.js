const ort = require("onnxruntime-web");
ort.env.wasm.numThreads = 1;
(async () => {
  const session = await ort.InferenceSession.create(require("fs").readFileSync(file));
  const lines = require("fs").readFileSync(0, "utf8").split("\n").filter((l) => l.length);
  // A missing label is a text that no column has.
  const value = (t) => t === "_" ? "\u0001missing" : Buffer.from(t.slice(1), "hex").toString("utf8");
  const number = (t) => t === "_" ? NaN : t === "Inf" ? Infinity : t === "-Inf" ? -Infinity : Number(t);
  const feeds = {};
  inputs.forEach((name, i) => {
    const x = lines.map((l) => l.split("\t")[i]).map(text[i] ? value : number);
    feeds[name] = text[i] ? new ort.Tensor("string", x, [x.length, 1])
      : new ort.Tensor("float64", Float64Array.from(x), [x.length, 1]);
  });
  const out = await session.run(feeds);
  const node = Array.from(out.node.data, Number), n = node.length;
  const score = out.probabilities || out.value, k = score.data.length / n;
  const hex = (s) => "h" + Buffer.from(s, "utf8").toString("hex");
  node.forEach((at, i) => {
    const label = out.label ? hex(out.label.data[i]) : "_";
    console.log([at, label, ...score.data.slice(i * k, (i + 1) * k)].join("\t"));
  });
})().catch((e) => { console.error(e); process.exit(1); });
