// Rotation forests. R has validated the arguments; a fit could have been tampered with and is
// checked here.
#include "eigenvectors.h"
#include "marshal.h"

#include <tectree/ensemble/rotation_forest.hpp>
#include <tectree/predict/forest_walk.hpp>

using Rcpp::as;
using tectree::Team;

namespace {

tectree::RotationRule as_rule(const Rcpp::List& settings) {
  tectree::RotationRule out;
  out.group_size = static_cast<std::size_t>(as<double>(settings["group_size"]));
  out.fraction = as<double>(settings["fraction"]);
  return out;
}

void require_doubles(const tectree::Frame& frame) {
  for (const tectree::Column& column : frame.columns) {
    if (!column.real) Rcpp::stop("every column must be doubles");
  }
}

// The rotations of a fit, which stay in R's memory.
tectree::Rotations as_rotations(const Rcpp::List& in, std::size_t columns, std::size_t trees) {
  const auto part = [&](const char* name, int type) {
    SEXP out = in.containsElementNamed(name) ? SEXP(in[name]) : R_NilValue;
    if (TYPEOF(out) != type) throw tectree::DamagedTree("a part of its rotations");
    return out;
  };
  SEXP order = part("order", INTSXP), axes = part("axes", REALSXP);
  const int group_size = as<int>(part("group_size", INTSXP));
  if (group_size < 1 || static_cast<std::size_t>(group_size) > columns)
    throw tectree::DamagedTree("the size of its groups");
  tectree::Rotations out;
  out.columns = columns;
  out.group_size = static_cast<std::size_t>(group_size);
  out.order = INTEGER(order);
  out.axes = REAL(axes);
  const std::size_t places = columns * trees,
                    loadings = tectree::loadings_of(columns, out.group_size) * trees;
  if (static_cast<std::size_t>(Rf_xlength(order)) != places ||
      static_cast<std::size_t>(Rf_xlength(axes)) != loadings)
    throw tectree::DamagedTree("the length of its rotations");
  for (std::size_t i = 0; i < places; ++i) {
    if (out.order[i] < 1 || static_cast<std::size_t>(out.order[i]) > columns)
      throw tectree::DamagedTree("a column of its rotations");
  }
  return out;
}

}  // namespace

// A rotation forest of the problem, whose columns are complete doubles. `settings`: seeds, one per
// tree; group_size, fraction; seconds, after which no tree is begun; progress: a function of the
// number of trees done, or NULL; threads. list(trees, order, axes, gain): see Rotations.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_rotation_fit_(Rcpp::List problem, Rcpp::List settings) {
  return interruptible([&] {
    using Rcpp::_;
    MarshalledProblem m = as_problem(problem);
    require_doubles(m.problem.frame);
    tectree::RotationPlan plan;
    for (double seed : as<std::vector<double>>(settings["seeds"]))
      plan.seeds.push_back(static_cast<std::uint64_t>(seed));
    plan.rule = as_rule(settings);
    plan.seconds = as<double>(settings["seconds"]);
    std::atomic<std::size_t> done{0};
    Team team = make_team(as<int>(settings["threads"]), [&] {
      if (Rf_isNull(settings["progress"])) return;
      const Rcpp::Function progress = settings["progress"];
      progress(static_cast<double>(done.load()));
    });
    m.bring_to_scale(team);
    auto grown =
        tectree::RotationGrower(m.problem, m.stop, m.missing, plan, eigenvectors).run(done, team);
    m.scale.undo(grown.trees);
    for (double& gain : grown.gain) gain = m.scale.gain(gain);
    return Rcpp::List::create(_["trees"] = as_list(grown.trees), _["order"] = grown.order,
                              _["axes"] = grown.axes, _["gain"] = grown.gain);
  });
}

// How the rotation of a tree is made: list(order, rows), with the rows used for each group's
// components. `settings`: group_size, fraction. For tests.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_rotation_rows_(Rcpp::List problem, double seed, Rcpp::List settings) {
  return interruptible([&] {
    using Rcpp::_;
    const MarshalledProblem m = as_problem(problem);
    const tectree::Problem& p = m.problem;
    const tectree::RotationDrawer drawer(p.frame, p.sample, p.response, as_rule(settings),
                                         eigenvectors);
    Rcpp::IntegerVector order(static_cast<R_xlen_t>(drawer.columns()));
    Rcpp::List groups;
    drawer.draw_rows(static_cast<std::uint64_t>(seed), order.begin(),
                     [&](std::size_t, const std::vector<std::uint32_t>& positions) {
                       Rcpp::IntegerVector rows;
                       for (std::uint32_t i : positions)
                         rows.push_back(static_cast<int>(p.sample.row(i)) + 1);
                       groups.push_back(rows);
                     });
    return Rcpp::List::create(_["order"] = order, _["rows"] = groups);
  });
}

// Rows down all trees, each in its rotation: the sums of class shares, rows x classes, or of
// numbers. `columns`: list(values, kinds, n_levels, n), complete doubles.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix tec_rotation_predict_(Rcpp::List trees, Rcpp::List rotations,
                                          Rcpp::List columns, int n_classes, int threads) {
  return interruptible([&] {
    const tectree::ForestView forest = as_view(trees, n_classes);
    const auto n = static_cast<std::size_t>(as<double>(columns["n"]));
    const tectree::Frame frame =
        as_frame(columns["values"], columns["kinds"], columns["n_levels"], n);
    require_doubles(frame);
    const tectree::Rotations turns = as_rotations(rotations, frame.columns.size(), forest.trees);
    Team team = make_team(threads);
    Rcpp::NumericMatrix out(static_cast<int>(n), std::max(n_classes, 1));
    double* to = out.begin();
    tectree::each_block(forest, frame, team, tectree::RowTurner(forest, turns, frame),
                        [&](auto, auto first, auto count, auto& walk) {
                          for (std::size_t i = 0; i < count; ++i) {
                            if (n_classes > 0) {
                              walk.add_class(i, to + first + i, n);
                            } else {
                              to[first + i] += walk.number(i);
                            }
                          }
                        });
    return out;
  });
}
