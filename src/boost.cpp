// Boosting and its predictions. R has validated the arguments.
#include "marshal.h"

#include <tectree/ensemble/adaboost.hpp>
#include <tectree/ensemble/boost.hpp>
#include <tectree/ensemble/boost_folds.hpp>
#include <tectree/ensemble/shapes.hpp>

using Rcpp::as;
using tectree::Forest;
using tectree::Team;

namespace {

std::vector<std::uint64_t> as_seeds(const Rcpp::List& settings) {
  std::vector<std::uint64_t> out;
  for (double seed : as<std::vector<double>>(settings["seeds"]))
    out.push_back(static_cast<std::uint64_t>(seed));
  return out;
}

std::vector<std::vector<std::uint32_t>> as_turns(SEXP turns) {
  std::vector<std::vector<std::uint32_t>> out;
  if (Rf_isNull(turns)) return out;
  for (const auto& one : Rcpp::List(turns)) {
    std::vector<std::uint32_t> columns;
    for (int c : as<std::vector<int>>(one)) columns.push_back(static_cast<std::uint32_t>(c - 1));
    out.push_back(std::move(columns));
  }
  return out;
}

tectree::BoostPlan as_boost_plan(const Rcpp::List& settings, const MarshalledProblem& m) {
  tectree::BoostPlan out;
  out.loss = tectree::boost_loss(as<std::string>(settings["loss"]));
  out.seeds = as_seeds(settings);
  out.rate = as<double>(settings["rate"]);
  out.draws = static_cast<std::size_t>(as<double>(settings["draws"]));
  out.columns = static_cast<std::size_t>(as<double>(settings["columns"]));
  out.patience = static_cast<std::size_t>(as<double>(settings["patience"]));
  out.stop.min_split = 0.0;
  out.stop.min_bucket = 0.0;
  out.stop.max_depth = m.stop.max_depth;
  out.stop.max_leaves = m.stop.max_leaves;
  out.rule.lambda = as<double>(settings["lambda"]);
  out.rule.min_rows = as<double>(settings["min_rows"]);
  out.rule.min_hessian = as<double>(settings["min_hessian"]);
  out.rule.min_gain = as<double>(settings["min_gain"]);
  if (!Rf_isNull(settings["monotone"]))
    out.rule.monotone = as<std::vector<int>>(settings["monotone"]);
  out.turns = as_turns(settings["turns"]);
  return out;
}

// Rows of the frame, with their responses, weights, and initial scores.
template <class RowAt>
tectree::ScoredRows score_rows(const tectree::Problem& p, const Rcpp::NumericMatrix& start,
                               std::size_t n, RowAt row_at, Team& team) {
  tectree::ScoredRows out;
  out.outputs = static_cast<std::size_t>(start.ncol());
  out.y.resize(n);
  out.weight.resize(p.sample.weights ? n : 0);
  out.score.resize(n * out.outputs);
  const double* from = start.begin();
  const auto all = static_cast<std::size_t>(start.nrow());
  tectree::pass_over(n, out.outputs, team, [&](std::size_t first, std::size_t end, Team&) {
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t row = row_at(i);
      out.y[i] = p.response.is_class() ? p.response.code[row] - 1 : p.response.number[row];
      if (p.sample.weights) out.weight[i] = p.sample.weights[row];
      for (std::size_t s = 0; s < out.outputs; ++s)
        out.score[i * out.outputs + s] = from[s * all + row];
    }
  });
  return out;
}

Team team_of(const Rcpp::List& settings, const std::atomic<std::size_t>& done) {
  return make_team(as<int>(settings["threads"]), [&settings, &done] {
    if (Rf_isNull(settings["progress"])) return;
    const Rcpp::Function progress = settings["progress"];
    progress(static_cast<double>(done.load()));
  });
}

}  // namespace

// Gradient boosting of the problem, from the scores `settings$start`: one row per row of the data,
// one column per output. `settings`: loss, seeds (one per round), first (rounds made before), rate,
// draws, columns, patience, lambda, min_rows, min_hessian, min_gain, monotone, turns (lists of
// columns or NULL), validation (rows), progress, threads. With `pairs` it only returns the gain of
// a tree for each turn.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_boost_fit_(Rcpp::List problem, Rcpp::List settings, bool pairs = false) {
  return interruptible([&] {
    using Rcpp::_;
    MarshalledProblem m = as_problem(problem);
    const tectree::Problem& p = m.problem;
    const tectree::BoostPlan plan = as_boost_plan(settings, m);
    std::atomic<std::size_t> done{0};
    Team team = team_of(settings, done);
    const Rcpp::NumericMatrix start = settings["start"];
    const auto rows = as<std::vector<int>>(settings["validation"]);
    auto training = score_rows(
        p, start, p.sample.size, [&](std::size_t i) { return p.sample.row(i); }, team);
    auto validation = score_rows(
        p, start, rows.size(), [&](std::size_t i) { return static_cast<std::size_t>(rows[i]) - 1; },
        team);
    tectree::Booster booster(p.frame, p.sample, training, rows, validation, plan, team);
    if (pairs) {
      std::vector<double> gain;
      for (const auto& columns : plan.turns) gain.push_back(booster.gain_of(columns, team));
      return Rcpp::List::create(_["gain"] = gain);
    }
    tectree::BoostedTrees out = booster.run(done, as<int>(settings["first"]), team);
    return Rcpp::List::create(_["trees"] = as_list(out.trees), _["output"] = out.output,
                              _["round"] = out.round, _["gain"] = out.gain,
                              _["training"] = out.curve.training,
                              _["validation"] = out.curve.validation);
  });
}

// The loss of each fold after each round, until the mean has not fallen for `patience` rounds.
// `folds`: a list with rows, validation, start and draws of each; `settings` as for
// tec_boost_fit_().
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_boost_folds_(Rcpp::List problem, Rcpp::List settings, Rcpp::List folds) {
  return interruptible([&] {
    MarshalledProblem m = as_problem(problem);
    const tectree::Problem& p = m.problem;
    const tectree::BoostPlan plan = as_boost_plan(settings, m);
    std::atomic<std::size_t> done{0};
    Team team = team_of(settings, done);
    std::vector<Rcpp::IntegerVector> rows;
    std::vector<tectree::BoostFold> parts;
    for (const Rcpp::List one : folds) {
      rows.emplace_back(one["rows"]);
      tectree::BoostFold part;
      part.sample = p.sample;
      part.sample.rows = rows.back().begin();
      part.sample.size = static_cast<std::size_t>(rows.back().size());
      part.held_out = as<std::vector<int>>(one["validation"]);
      part.plan = plan;
      part.plan.draws = static_cast<std::size_t>(as<double>(one["draws"]));
      const Rcpp::NumericMatrix start = one["start"];
      part.training = score_rows(
          p, start, part.sample.size, [&](std::size_t i) { return part.sample.row(i); }, team);
      part.validation = score_rows(
          p, start, part.held_out.size(),
          [&](std::size_t i) { return static_cast<std::size_t>(part.held_out[i]) - 1; }, team);
      parts.push_back(std::move(part));
    }
    return Rcpp::wrap(tectree::losses_of_folds(p.frame, parts, plan.patience, done, team));
  });
}

// AdaBoost of the problem. `settings`: rounds, rate, progress, threads.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_adaboost_fit_(Rcpp::List problem, Rcpp::List settings) {
  return interruptible([&] {
    using Rcpp::_;
    MarshalledProblem m = as_problem(problem);
    std::atomic<std::size_t> done{0};
    Team team = team_of(settings, done);
    m.bring_to_scale(team);
    const auto out = tectree::boost_by_weights(
        m.problem, m.stop, m.missing, static_cast<std::size_t>(as<double>(settings["rounds"])),
        as<double>(settings["rate"]), done, team);
    Rcpp::RObject trees = R_NilValue;
    if (!out.vote.empty()) trees = as_list(out.trees);
    return Rcpp::List::create(_["trees"] = trees, _["vote"] = out.vote, _["error"] = out.error,
                              _["weight"] = out.weight);
  });
}

// What boosted trees add to the scores `start` of rows, by output, after the first `at` trees, for
// each number in `at`: an array of rows, outputs and `at`. `output`: of each tree, from 0;
// classification trees give their class their `vote` instead.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector tec_boost_predict_(Rcpp::List trees, Rcpp::List columns, int n_classes,
                                       Rcpp::NumericMatrix start, Rcpp::IntegerVector output,
                                       Rcpp::NumericVector vote, std::vector<double> at,
                                       int threads) {
  return interruptible([&] {
    const tectree::ForestView forest = as_view(trees, n_classes);
    const auto n = static_cast<std::size_t>(as<double>(columns["n"]));
    const tectree::Frame frame =
        as_frame(columns["values"], columns["kinds"], columns["n_levels"], n);
    const auto k = static_cast<std::size_t>(start.ncol());
    if (static_cast<std::size_t>(start.nrow()) != n) Rcpp::stop("there must be one start per row");
    const bool by_class = n_classes > 0;
    const R_xlen_t known = by_class ? vote.size() : output.size();
    if (static_cast<std::size_t>(known) != forest.trees)
      throw tectree::DamagedTree("what its trees are for");
    for (int s : output) {
      if (s < 0 || s >= start.ncol()) throw tectree::DamagedTree("what its trees are for");
    }
    if (by_class && static_cast<std::size_t>(n_classes) > k)
      Rcpp::stop("there must be one output per class");
    Team team = make_team(threads);
    Rcpp::NumericVector out(static_cast<R_xlen_t>(n * k * at.size()));
    std::vector<double> sum(start.begin(), start.end());
    double *to = out.begin(), *now = sum.data();
    const double* votes = by_class ? vote.begin() : nullptr;
    const int* of = by_class ? nullptr : output.begin();
    tectree::each_block(forest, frame, team, [&](auto tree, auto first, auto count, auto& walk) {
      std::vector<double> shares(static_cast<std::size_t>(n_classes));
      for (std::size_t i = 0; i < count; ++i) {
        if (by_class) {
          const auto said = static_cast<std::size_t>(walk.add_class(i, shares.data(), 1));
          now[said * n + first + i] += votes[tree];
        } else {
          now[static_cast<std::size_t>(of[tree]) * n + first + i] += walk.number(i);
        }
      }
      for (std::size_t a = 0; a < at.size(); ++a) {
        if (at[a] != static_cast<double>(tree + 1)) continue;
        for (std::size_t s = 0; s < k; ++s)
          std::copy_n(now + s * n + first, count, to + (a * k + s) * n + first);
      }
    });
    return out;
  });
}

// The functions of one or two predictors that sum to the trees: list(constant, cuts, tables), where
// cuts are by column, and a table is list(columns, value): by cell and output. `columns` as for
// tec_boost_predict_(), without rows.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_shapes_(Rcpp::List trees, Rcpp::List columns, int outputs,
                       Rcpp::IntegerVector output, int threads) {
  return interruptible([&] {
    using Rcpp::_;
    const tectree::ForestView forest = as_view(trees, 0);
    const tectree::Frame frame =
        as_frame(columns["values"], columns["kinds"], columns["n_levels"], 0);
    tectree::check_forest(forest, frame);
    if (static_cast<std::size_t>(output.size()) != forest.trees)
      throw tectree::DamagedTree("what its trees are for");
    for (int s : output) {
      if (s < 0 || s >= outputs) throw tectree::DamagedTree("what its trees are for");
    }
    Team team = make_team(threads);
    tectree::ShapeTables shapes(forest, frame, output.begin(), static_cast<std::size_t>(outputs));
    try {
      shapes.run(team);
    } catch (const tectree::TooManyPredictors&) {
      return Rcpp::List();  // R reports it
    }
    Rcpp::List cuts, tables;
    for (const auto& column : shapes.columns()) cuts.push_back(Rcpp::wrap(column.cuts));
    for (const auto& table : shapes.tables()) {
      const bool pair = table.second != tectree::ShapeTable::no_column;
      Rcpp::IntegerVector of{static_cast<int>(table.first) + 1};
      if (pair) of.push_back(static_cast<int>(table.second) + 1);
      tables.push_back(Rcpp::List::create(_["columns"] = of, _["value"] = table.value));
    }
    return Rcpp::List::create(_["constant"] = shapes.constant(), _["cuts"] = cuts,
                              _["tables"] = tables);
  });
}
