// All code that reads or writes R objects but grows no trees, compiled together: see Makevars.
// Files with Armadillo come first: Armadillo decides what Rcpp.h includes.
#include "splines.cpp"

#include "RcppExports.cpp"
#include "eigenvectors.cpp"
#include "marks.cpp"
#include "marshal_problem.cpp"
#include "marshal_tree.cpp"
#include "numbers.cpp"
#include "packed.cpp"
#include "packer.cpp"
#include "predict.cpp"
#include "session.cpp"
#include "shap.cpp"
#include "signals.cpp"
