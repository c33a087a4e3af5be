    def predict(row):
        x = [read(row, i) for i in range(len(inputs))]
        total = [0.0] * len(score[0])
        votes = [0.0] * len(total)
        for root in start:
            said = [0.0] * len(total)
            for entry, part in leaves(x, root):
                said = [s + part * v for s, v in zip(said, score[entry])]
            total = [t + s for t, s in zip(total, said)]
            if classes:
                votes[chosen(said)] += 1
        prob = [t / len(start) for t in total]
        votes = [v / len(start) for v in votes]
        if not classes:
            return {"response": prob[0], "prob": None, "votes": None}
        at = best(votes, 1 - 1e-12) if @BY_VOTES@ else chosen(prob)
        return {"response": classes[at], "prob": prob, "votes": votes}

    predict.inputs = inputs
    predict.classes = classes
    return predict


@NAME@ = _make_@NAME@()
