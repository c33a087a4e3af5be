# Predicts with a tree that tec_json() of the R package tectree wrote:
#   predict = tree_predictor(open("tree.json", encoding="utf-8").read())
#   predict({"Petal.Length": 1.4, "Petal.Width": None})["response"]
# None is a missing value; dates and times are days and seconds since 1970 (UTC).
import bisect
import json


def tree_predictor(text):
    tree = json.loads(text)
    nodes = tree["nodes"]
    classes = tree["response"].get("levels", []) if tree["task"] == "classification" else []
    needed = {n["column"] for n in nodes if "column" in n}

    def branch(split, row):
        """The child that a split sends a row to, or None."""
        x = row[split["column"]] if split["column"] in needed else row.get(split["column"])
        if "breaks" in split:
            if x is None or x != x:
                return None
            return split["children"][bisect.bisect_left(split["breaks"], x)]
        x = str(x).upper() if isinstance(x, bool) else x
        return next((c for c, g in zip(split["children"], split["groups"]) if x in g), None)

    def onward(at, row):
        """The nodes that a row goes on to, with its shares; none where it ends."""
        node = nodes[at - 1]
        if "column" not in node:
            return []
        splits = [node] + (node.get("surrogates", []) if tree["surrogates"] else [])
        to = next((b for b in (branch(s, row) for s in splits) if b is not None), None)
        if to is None and tree["missing"] == "branch":
            to = node["default"]
        if to is not None:
            return [(to, 1.0)]
        weights = [(c, nodes[c - 1]["weight"]) for c in node["children"]]
        total = sum(w for _, w in weights)
        if tree["missing"] == "stop" or total <= 0:
            return []
        return [(c, w / total) for c, w in weights if w > 0]

    def predict(row):
        ends, stack = [], [(1, 1.0)]
        while stack:
            at, part = stack.pop()
            to = onward(at, row)
            if to:
                stack.extend((c, part * share) for c, share in reversed(to))
            else:
                ends.append((at, part))
        end, largest = ends[0]
        for at, part in ends:
            if part > largest * (1 + 1e-12):
                end, largest = at, part
        node = nodes[end - 1]
        if not classes:
            mean = sum(part * nodes[at - 1]["value"] for at, part in ends)
            return {"node": end, "response": mean, "prob": None}
        if len(ends) == 1:
            return {"node": end, "response": node["value"], "prob": node["prob"]}
        prob = [sum(p * nodes[at - 1]["prob"][k] for at, p in ends) for k in range(len(classes))]
        prob = [p / sum(prob) for p in prob]
        aim, slack = prob, 1 - 1e-12
        if tree.get("cost"):
            aim, slack = [-sum(p * c[k] for p, c in zip(prob, tree["cost"])) for k in range(len(prob))], 1 + 1e-12
        best = next(k for k, a in enumerate(aim) if a >= max(aim) * slack)
        return {"node": end, "response": classes[best], "prob": prob}

    return predict
