# xgboost for boost.R: train, test and answer files, objective, rounds, depth, threads, classes, min_child_weight.
import os, sys, time
import numpy as np
import xgboost as xgb

train, test, out, objective = sys.argv[1:5]
rounds, depth, threads, classes = (int(x) for x in sys.argv[5:9])
read = lambda file: np.genfromtxt(file, delimiter=",")
a, b = read(train), read(test)
settings = dict(objective=objective, eta=0.1, max_depth=depth, nthread=threads, tree_method="hist", max_bin=256,
                min_child_weight=float(sys.argv[9]))
settings["lambda"] = 1
if objective == "multi:softprob":
    settings["num_class"] = classes
start, cpu = time.time(), time.process_time()
data = xgb.DMatrix(a[:, :-1], a[:, -1], nthread=threads)
model = xgb.train(settings, data, rounds)
print(time.time() - start, time.process_time() - cpu)
np.savetxt(out, model.predict(xgb.DMatrix(b[:, :-1])), delimiter=",", fmt="%.9g")
