"""scikit-learn's trees and pruning paths, one task a line of standard input until it ends.

A line: DONE FUNCTION CRITERION TABLE OUT [NAME=NUMBER ...], separated by tabs. The named numbers are
settings of scikit-learn's trees. DONE is written last: empty, or what went wrong.
tree: TABLE holds the predictors and the response, numbers separated by commas without a header.
OUT: left child, right child, impurity, rows of each node; OUT.leaves: a node a row, from 0.
path: TABLE holds the predictors, the weights and the response. OUT: one line a tree of the
minimal cost-complexity sequence, alpha and total impurity of the leaves.
side: TABLE as for tree, with NaN for missing values. OUT: the column, from 0, the threshold and
whether missing values go left, of the root of histogram gradient boosting, which has learned sides
in every version; column -1: no split.
"""
import os
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


def write(file, columns, fmt="%.17g"):
    np.savetxt(file, columns, delimiter=",", fmt=fmt)


def grow_tree(model, data, out):
    x = data[:, :-1]
    model.fit(x, data[:, -1])
    tree = model.tree_
    columns = [tree.children_left, tree.children_right, tree.impurity, tree.n_node_samples]
    write(out, np.column_stack(columns))
    write(out + ".leaves", model.apply(x), "%d")


def find_path(model, data, out):
    found = model.cost_complexity_pruning_path(data[:, :-2], data[:, -1], sample_weight=data[:, -2])
    write(out, np.column_stack([found.ccp_alphas, found.impurities]))


def find_side(model, data, out):
    boosting = HistGradientBoostingRegressor(
        learning_rate=1.0, max_iter=1, max_depth=1, min_samples_leaf=model.min_samples_leaf,
        l2_regularization=0.0, early_stopping=False)
    boosting.fit(data[:, :-1], data[:, -1])
    root = boosting._predictors[0][0].nodes[0]
    column = -1 if root["is_leaf"] else int(root["feature_idx"])
    write(out, [[column, root["num_threshold"], root["missing_go_to_left"]]])


def number(text):
    value = float(text)
    return int(value) if value >= 1 and value == int(value) else value


for line in sys.stdin:
    done, function, criterion, table, out, *settings = line.rstrip("\n").split("\t")
    said = ""
    try:
        maker = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor
        named = {name: number(value) for name, value in (pair.split("=") for pair in settings)}
        model = maker(criterion=criterion, random_state=1, **named)
        data = np.loadtxt(table, delimiter=",", ndmin=2)
        {"tree": grow_tree, "path": find_path, "side": find_side}[function](model, data, out)
    except Exception as error:
        said = repr(error)
    with open(done + ".part", "w") as file:
        file.write(said)
    os.rename(done + ".part", done)
