// All code that grows or prunes trees, compiled together: see Makevars.
#include "boost.cpp"
#include "counts.cpp"
#include "forest.cpp"
#include "grow.cpp"
#include "prune.cpp"
#include "rotation.cpp"
#include "scores.cpp"
