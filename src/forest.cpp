// Forests: growth and prediction. R has validated the arguments; a forest could have been tampered
// with and is checked here.
#include "marshal.h"

#include <tectree/grow/many/grow_forest.hpp>
#include <tectree/predict/forest_walk.hpp>

using Rcpp::as;
using tectree::Forest;
using tectree::ForestView;
using tectree::Team;

namespace {

tectree::Draws as_draws(const Rcpp::List& settings) {
  tectree::Draws out;
  out.replace = as<bool>(settings["replace"]);
  const bool by_class =
      settings.containsElementNamed("by_class") && !Rf_isNull(settings["by_class"]);
  const auto draws = as<std::vector<double>>(settings[by_class ? "by_class" : "draws"]);
  for (double d : draws) out.of_class.push_back(static_cast<std::size_t>(d));
  if (settings.containsElementNamed("sample_weights") && !Rf_isNull(settings["sample_weights"]))
    out.weights = as<std::vector<double>>(settings["sample_weights"]);
  return out;
}

tectree::ForestPlan as_plan(const Rcpp::List& settings) {
  tectree::ForestPlan out;
  for (double seed : as<std::vector<double>>(settings["seeds"]))
    out.seeds.push_back(static_cast<std::uint64_t>(seed));
  out.draws = as_draws(settings);
  using tectree::Importance;
  const auto wanted = as<std::string>(settings["importance"]);
  out.importance = wanted == "gain"          ? Importance::gain
                   : wanted == "corrected"   ? Importance::corrected
                   : wanted == "permutation" ? Importance::permutation
                                             : Importance::none;
  return out;
}

// A vector of a forest's list, which stays in R's memory.
template <int type>
SEXP part_of(const Rcpp::List& trees, const char* name) {
  SEXP part = trees.containsElementNamed(name) ? SEXP(trees[name]) : R_NilValue;
  if (TYPEOF(part) != type) throw tectree::DamagedTree(std::string("its ") + name);
  return part;
}

}  // namespace

Rcpp::List as_list(const Forest& forest) {
  using Rcpp::_;
  const int k = forest.n_classes;
  Rcpp::RawVector sides(forest.sides.begin(), forest.sides.end());
  Rcpp::RObject shares = R_NilValue;
  if (k > 0) {
    Rcpp::NumericMatrix of_leaves(k, static_cast<int>(forest.shares.size() / k));
    std::copy(forest.shares.begin(), forest.shares.end(), of_leaves.begin());
    shares = of_leaves;
  }
  Rcpp::List out = Rcpp::List::create(
      _["start"] = forest.start, _["variable"] = forest.variable, _["right"] = forest.right,
      _["cut"] = forest.cut, _["sides"] = sides, _["shares"] = shares, _["weight"] = forest.weight,
      _["unknown"] = static_cast<int>(forest.unknown));
  if (!forest.own.empty()) out["own"] = forest.own;
  return out;
}

ForestView as_view(const Rcpp::List& trees, int n_classes) {
  ForestView out;
  out.n_classes = n_classes;
  SEXP start = part_of<INTSXP>(trees, "start"), variable = part_of<INTSXP>(trees, "variable"),
       right = part_of<INTSXP>(trees, "right"), cut = part_of<REALSXP>(trees, "cut"),
       sides = part_of<RAWSXP>(trees, "sides"), weight = part_of<REALSXP>(trees, "weight");
  const R_xlen_t nodes = Rf_xlength(variable);
  if (Rf_xlength(right) != nodes || Rf_xlength(cut) != nodes || Rf_xlength(start) < 2)
    throw tectree::DamagedTree("its vectors differ in length");
  out.trees = static_cast<std::size_t>(Rf_xlength(start) - 1);
  out.nodes = static_cast<std::size_t>(nodes);
  out.start = INTEGER(start);
  out.variable = INTEGER(variable);
  out.right = INTEGER(right);
  out.cut = REAL(cut);
  out.sides = RAW(sides);
  out.n_sides = static_cast<std::size_t>(Rf_xlength(sides));
  if (n_classes > 0) {
    SEXP shares = part_of<REALSXP>(trees, "shares");
    out.shares = REAL(shares);
    out.n_shares = static_cast<std::size_t>(Rf_xlength(shares) / n_classes);
  }
  out.weight = REAL(weight);
  out.n_weights = static_cast<std::size_t>(Rf_xlength(weight));
  const int unknown = as<int>(part_of<INTSXP>(trees, "unknown"));
  if (unknown < 0 || unknown > 2) throw tectree::DamagedTree("how it takes missing values");
  out.unknown = static_cast<tectree::UnknownRows>(unknown);
  if (trees.containsElementNamed("own")) {
    SEXP own = part_of<REALSXP>(trees, "own");
    if (static_cast<std::size_t>(Rf_xlength(own)) != out.nodes * out.outputs())
      throw tectree::DamagedTree("its vectors differ in length");
    out.own = REAL(own);
  }
  return out;
}

namespace {

// The out-of-bag results as R vectors, and where the core finds them.
struct OutOfBagInR {
  Rcpp::List list;
  Rcpp::NumericVector curve;
  tectree::OutOfBag to;

  OutOfBagInR(std::size_t rows, int n_classes, std::size_t trees)
      : curve(static_cast<R_xlen_t>(trees)) {
    using Rcpp::_;
    const auto n = static_cast<int>(rows);
    Rcpp::IntegerVector times(n);
    if (n_classes > 0) {
      Rcpp::IntegerMatrix votes(n, n_classes);
      Rcpp::NumericMatrix shares(n, n_classes);
      to.votes = votes.begin();
      to.shares = shares.begin();
      list = Rcpp::List::create(_["votes"] = votes, _["shares"] = shares, _["times"] = times);
    } else {
      Rcpp::NumericVector sum(n), square(n);
      to.sum = sum.begin();
      to.square = square.begin();
      list = Rcpp::List::create(_["sum"] = sum, _["square"] = square, _["times"] = times);
    }
    to.times = times.begin();
    to.curve = curve.begin();
  }

  // From the scale used by growth; classes have none.
  void undo(const tectree::SafeScale& scale) {
    if (!to.sum) return;
    const R_xlen_t n = Rcpp::IntegerVector(list["times"]).size();
    for (R_xlen_t i = 0; i < n; ++i) {
      to.sum[i] = scale.number(to.sum[i]);
      to.square[i] = scale.number(to.square[i], 2);
    }
    for (double& x : curve) x = scale.number(x, 2);
  }
};

// list(value, se): by column the mean over trees, and its standard error; NULL if importance is not
// wanted.
SEXP importance_in_r(const std::vector<tectree::TreeImportance>& of_trees,
                     const tectree::ForestPlan& plan, const MarshalledProblem& m) {
  using tectree::Importance;
  if (plan.importance == Importance::none) return R_NilValue;
  auto out = tectree::mean_importance(of_trees, m.problem.frame.columns.size());
  for (auto* values : {&out.mean, &out.error}) {
    for (double& x : *values) {
      if (plan.importance == Importance::gain) {
        x = m.scale.gain(x);
      } else if (!m.problem.response.is_class()) {
        x = m.scale.number(x, 2);
      }
    }
  }
  return Rcpp::List::create(Rcpp::_["value"] = out.mean, Rcpp::_["se"] = out.error);
}

}  // namespace

// A forest of the problem. `settings`: seeds, one per tree; replace, draws, by_class,
// sample_weights: how rows are drawn; oob: whether out-of-bag results are wanted; importance;
// progress: a function of the number of trees done, or NULL; threads.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_forest_fit_(Rcpp::List problem, Rcpp::List settings) {
  return interruptible([&] {
    using Rcpp::_;
    MarshalledProblem m = as_problem(problem);
    const tectree::ForestPlan plan = as_plan(settings);
    std::atomic<std::size_t> done{0};
    Team team = make_team(as<int>(settings["threads"]), [&] {
      if (Rf_isNull(settings["progress"])) return;
      const Rcpp::Function progress = settings["progress"];
      progress(static_cast<double>(done.load()));
    });
    m.bring_to_scale(team);
    const tectree::Problem& p = m.problem;
    auto grown = tectree::grow_trees(p, m.stop, m.missing, plan, done, team);
    Rcpp::RObject oob = R_NilValue, curve = R_NilValue;
    if (as<bool>(settings["oob"])) {
      OutOfBagInR results(p.sample.size, p.response.n_classes, grown.trees.size());
      tectree::OutOfBagPass(p, grown.trees, as<bool>(settings["by_shares"]), results.to).run(team);
      results.undo(m.scale);
      oob = results.list;
      curve = results.curve;
    }
    Forest forest = tectree::join(grown.trees, p.frame);
    m.scale.undo(forest);
    return Rcpp::List::create(_["trees"] = as_list(forest), _["oob"] = oob, _["curve"] = curve,
                              _["importance"] = importance_in_r(grown.importance, plan, m));
  });
}

// How often each row counts in each tree: rows x trees. `classes`: of the rows, from 1, if classes
// have their own draws.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix tec_forest_bags_(Rcpp::List settings, double n, Rcpp::IntegerVector classes) {
  return interruptible([&] {
    const tectree::ForestPlan plan = as_plan(settings);
    std::vector<std::uint16_t> of_row;
    for (int s : classes) of_row.push_back(static_cast<std::uint16_t>(s - 1));
    const auto rows = static_cast<std::size_t>(n);
    if (plan.draws.of_class.size() > 1 && of_row.size() != rows) Rcpp::stop("one class per row");
    const tectree::Urns urns(rows, plan.draws, of_row);
    tectree::Drawer drawer(urns);
    Rcpp::IntegerMatrix out(static_cast<int>(rows), static_cast<int>(plan.seeds.size()));
    for (std::size_t t = 0; t < plan.seeds.size(); ++t) {
      const tectree::Bag bag = drawer.draw(plan.seeds[t]);
      int* of_tree = out.begin() + t * rows;
      for (std::size_t i = 0; i < bag.positions.size(); ++i)
        of_tree[bag.positions[i]] = bag.counts.empty() ? 1 : static_cast<int>(bag.counts[i]);
    }
    return out;
  });
}

// Rows down all trees. `columns`: list(values, kinds, n_levels, n). `what`: "sum", the votes and
// the sums of class shares, or the sums of numbers; "tree", the class or number by each tree;
// "node", the node of each tree where the row ends. `loss`: the costs by which trees choose their
// classes, true class by true class; none: they choose the largest share.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_forest_predict_(Rcpp::List trees, Rcpp::List columns, int n_classes,
                               std::vector<double> loss, std::string what, int threads) {
  return interruptible([&] {
    using Rcpp::_;
    ForestView forest = as_view(trees, n_classes);
    const tectree::Loss costs{loss};
    if (!costs.empty()) forest.loss = &costs;
    if (!costs.empty() && loss.size() != forest.outputs() * forest.outputs())
      Rcpp::stop("there must be one cost per pair of classes");
    const auto n = static_cast<std::size_t>(as<double>(columns["n"]));
    const tectree::Frame frame =
        as_frame(columns["values"], columns["kinds"], columns["n_levels"], n);
    Team team = make_team(threads);
    const int rows = static_cast<int>(n), all = static_cast<int>(forest.trees);
    if (what == "node") {
      Rcpp::IntegerMatrix node(rows, all);
      int* to = node.begin();
      tectree::each_block(forest, frame, team, [&](auto tree, auto first, auto count, auto& walk) {
        for (std::size_t i = 0; i < count; ++i)
          to[tree * n + first + i] = static_cast<int>(walk.node(i) - forest.root(tree)) + 1;
      });
      return Rcpp::List::create(_["node"] = node);
    }
    if (n_classes == 0) {
      const bool by_tree = what == "tree";
      Rcpp::NumericMatrix sum(rows, by_tree ? all : 1);
      double* to = sum.begin();
      tectree::each_block(forest, frame, team, [&](auto tree, auto first, auto count, auto& walk) {
        double* from = to + first + (by_tree ? tree * n : 0);
        for (std::size_t i = 0; i < count; ++i) from[i] += walk.number(i);
      });
      if (by_tree) return Rcpp::List::create(_["tree"] = sum);
      return Rcpp::List::create(_["sum"] = Rcpp::NumericVector(sum.begin(), sum.end()));
    }
    if (what == "tree") {
      Rcpp::IntegerMatrix said(rows, all);
      int* to = said.begin();
      tectree::each_block(forest, frame, team, [&](auto tree, auto first, auto count, auto& walk) {
        std::vector<double> shares(static_cast<std::size_t>(n_classes));
        for (std::size_t i = 0; i < count; ++i)
          to[tree * n + first + i] = walk.add_class(i, shares.data(), 1) + 1;
      });
      return Rcpp::List::create(_["tree"] = said);
    }
    Rcpp::IntegerMatrix votes(rows, n_classes);
    Rcpp::NumericMatrix shares(rows, n_classes);
    int* vote = votes.begin();
    double* share = shares.begin();
    tectree::each_block(forest, frame, team, [&](auto, auto first, auto count, auto& walk) {
      for (std::size_t row = first; row < first + count; ++row)
        ++vote[static_cast<std::size_t>(walk.add_class(row - first, share + row, n)) * n + row];
    });
    return Rcpp::List::create(_["votes"] = votes, _["shares"] = shares);
  });
}

// The fault in the nodes of a model's trees; "" if there is none. `kinds`, `n_levels`: of the
// columns that they split on.
// [[Rcpp::export(rng = false)]]
std::string tec_fault_of_trees_(Rcpp::List trees, Rcpp::IntegerVector kinds,
                                Rcpp::IntegerVector n_levels, int n_classes) {
  static const double number = 0.0;
  static const int code = 1;
  tectree::Frame frame = as_frame(Rcpp::List(kinds.size()), kinds, n_levels, 0);
  for (tectree::Column& column : frame.columns) {  // present, without rows
    if (column.kind == tectree::Kind::numeric) {
      column.real = &number;
    } else {
      column.whole = &code;
    }
  }
  try {
    tectree::check_forest(as_view(trees, n_classes), frame);
  } catch (const tectree::DamagedTree& e) {
    return e.what();
  }
  return "";
}

// Trees grown one by one, as the trees of a forest. `kinds`, `n_levels`: of the columns.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_trees_as_forest_(Rcpp::List trees, Rcpp::IntegerVector kinds,
                                Rcpp::IntegerVector n_levels) {
  return interruptible([&] {
    const tectree::Frame frame = as_frame(Rcpp::List(kinds.size()), kinds, n_levels, 0);
    Forest forest;
    for (const Rcpp::List tree : trees) tectree::append(as_described_tree(tree), frame, forest);
    return as_list(forest);
  });
}
