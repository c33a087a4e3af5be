    # By tree: the sum that it adds to, or its vote; the initial sums.
    output = [@OUTPUT@]
    vote = [@VOTE@]
    base = [@BASE@]
    from math import exp

    def predict(row):
        x = [read(row, i) for i in range(len(inputs))]
        link = list(base)
        for t, root in enumerate(start):
            said = [0.0] * len(score[0])
            for entry, part in leaves(x, root):
                said = [s + part * v for s, v in zip(said, score[entry])]
            if @BY_VOTES@:
                link[chosen(said)] += vote[t]
            else:
                link[output[t]] += said[0]
        # The only sum of two classes is that of the second; the first has 0.
        sums = [0.0] + link if len(link) == 1 else link
        at = best(sums, 1.0)
        odds = [exp((s - sums[at]) / @SCALE@) for s in sums]
        prob = [o / sum(odds) for o in odds]
        return {"response": classes[at], "prob": prob, "link": link}

    predict.inputs = inputs
    predict.classes = classes
    return predict


@NAME@ = _make_@NAME@()
