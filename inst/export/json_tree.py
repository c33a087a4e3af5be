# Predicts with a model that tec_json() of the R package tectree wrote:
#   predict = tree_predictor(open("tree.json", encoding="utf-8").read())
#   predict({"Petal.Length": 1.4, "Petal.Width": None})["response"]
# None is a missing value; dates and times are days and seconds since 1970 (UTC).
import bisect
import json
import math


def tree_predictor(text):
    tree = json.loads(text)
    return forest_predictor(tree) if "trees" in tree else one_tree(tree)


def forest_predictor(forest):
    classes = forest["response"].get("levels", []) if forest["task"] == "classification" else []
    top = {k: v for k, v in forest.items() if k not in ("trees", "cost")}
    link = forest.get("link", {})
    if "output" in link:
        top["task"] = "regression"
    of = [] if "output" in link else classes
    trees = [one_tree(dict(top, surrogates=False, nodes=nodes_of(t, forest["columns"], of)))
             for t in forest["trees"]]
    used = {c for t in forest["trees"] for c in t["column"] if c}
    needed = [forest["columns"][c - 1]["name"] for c in sorted(used)]

    def best(x, margin):
        return next(k for k, v in enumerate(x) if v >= max(x) * margin)

    def chosen(prob):
        """The class chosen by the shares."""
        if not forest.get("cost"):
            return best(prob, 1 - 1e-12)
        loss = [-sum(p * c[k] for p, c in zip(prob, forest["cost"])) for k in range(len(prob))]
        return best(loss, 1 + 1e-12)

    def linked(said):
        """The classes of a boosted model: each tree adds its number to a sum, or votes."""
        sums = [0.0] * (len(classes) - len(link["base"])) + link["base"]
        for i, s in enumerate(said):
            if "output" in link:
                sums[link["output"][i] - 1 + len(classes) - len(link["base"])] += s["response"]
            else:
                sums[chosen(s["prob"])] += link["vote"][i]
        odds = [math.exp((s - max(sums)) / link["scale"]) for s in sums]
        return {"response": classes[sums.index(max(sums))], "prob": [o / sum(odds) for o in odds],
                "link": sums}

    def predict(row):
        for name in needed:
            row[name]
        said = [tree(row) for tree in trees]
        if link:
            return linked(said)
        if not classes:
            return {"response": sum(s["response"] for s in said) / len(said), "prob": None}
        prob = [sum(s["prob"][k] for s in said) / len(said) for k in range(len(classes))]
        votes = [0.0] * len(classes)
        for s in said:
            votes[chosen(s["prob"])] += 1 / len(said)
        at = best(votes, 1 - 1e-12) if forest.get("class_by") == "votes" else chosen(prob)
        return {"response": classes[at], "prob": prob, "votes": votes}

    return predict


def nodes_of(tree, columns, classes):
    """The nodes of one tree of a forest, in the format of a single tree."""
    inner, leaf, nodes = 0, 0, []
    for at, number in enumerate(tree["column"], 1):
        if number == 0:
            value, weight = tree["value"][leaf], tree["weight"][leaf]
            leaf += 1
            if classes and not isinstance(value, list):
                value = [1.0 if k == value - 1 else 0.0 for k in range(len(classes))]
            nodes.append({"weight": weight, "prob" if classes else "value": value})
            continue
        column, split = columns[number - 1], tree["split"][inner]
        node = {"column": column["name"], "default": tree["default"][inner]}
        node["children"] = [at + 1, tree["right"][inner]]
        if column["kind"] == "numeric":
            node["breaks"] = [split]
        elif column["kind"] == "ordered":
            node["groups"] = [column["levels"][:int(split)], column["levels"][int(split):]]
        else:
            node["groups"] = [[column["levels"][k - 1] for k in side] for side in split]
        if "inner_value" in tree:
            node["own"] = tree["inner_value"][inner]
        inner += 1
        nodes.append(node)
    for node in reversed(nodes):
        if "children" not in node:
            if classes:
                node["value"] = classes[node["prob"].index(max(node["prob"]))]
            continue
        below = [nodes[c - 1] for c in node["children"]]
        node["weight"] = sum(b["weight"] for b in below)
        part = [b["weight"] / node["weight"] if node["weight"] > 0 else 0.5 for b in below]
        if classes:
            mean = [sum(p * b["prob"][k] for p, b in zip(part, below)) for k in range(len(classes))]
            node["prob"], node["value"] = mean, classes[mean.index(max(mean))]
        else:
            node["value"] = sum(p * b["value"] for p, b in zip(part, below))
    for node in nodes:
        if "own" in node:
            node["prob" if classes else "value"] = node["own"]
    return nodes


def one_tree(tree):
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
        """The nodes where a row continues, with its shares; none if it ends."""
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
