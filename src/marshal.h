// R vectors to the core's views and back. The other code knows nothing of R's types.
#pragma once

#include <Rcpp/Lightest>

#include <functional>
#include <new>
#include <optional>
#include <stdexcept>

#include <tectree/grow/problem.hpp>
#include <tectree/grow/safe_scale.hpp>
#include <tectree/grow/stop.hpp>
#include <tectree/missing/policies.hpp>
#include <tectree/predict/predictor.hpp>
#include <tectree/prune/rpart_penalties.hpp>
#include <tectree/tree/forest.hpp>

// Columns stay in R's memory: the list must outlive the frame.
tectree::Frame as_frame(const Rcpp::List& columns, const Rcpp::IntegerVector& kinds,
                        const Rcpp::IntegerVector& n_levels, std::size_t n_rows);

// The codes of a packed vector (packed.cpp), and their number; none for other vectors.
std::optional<tectree::Packed> as_packed(SEXP x);
int values_of_packed(SEXP x);

struct MarshalledProblem {
  tectree::Problem problem;
  tectree::StopRule stop;
  tectree::MissingPolicy missing;
  int threads = 1;
  bool by_share = false;     // min_bucket is a share of the sample's size
  tectree::SafeScale scale;  // as used by growth; not set before bring_to_scale()

  // Before trees are grown: scales numbers so that their squares and sums stay in range.
  void bring_to_scale(tectree::Team& team) { scale = tectree::SafeScale(problem, stop, team); }
};

// The result of core_problem() in R/grow.R: list(columns, kinds, n_levels, response, weights, rows,
// criterion, control), and `training`, all rows, if `rows` are those of one node. Its vectors stay
// in R's memory: the list must outlive the problem.
MarshalledProblem as_problem(const Rcpp::List& problem);

Rcpp::List as_list(const tectree::Tree& tree);
tectree::Tree as_tree(const Rcpp::List& tree);
// The same with the data of nodes besides their splits.
tectree::Tree as_described_tree(const Rcpp::List& tree);

Rcpp::List as_list(const tectree::Forest& forest);
// The trees of a forest, which stay in R's memory: the list must outlive the view. They may be
// damaged: see check_forest().
tectree::ForestView as_view(const Rcpp::List& trees, int n_classes);

// Throws DamagedTree unless the frame has the columns of the tree's splits.
void check_columns(const tectree::Tree& tree, const tectree::Frame& frame);

// list(loss = NULL or the matrix row by row, impurity = TRUE or FALSE)
tectree::NodeRisk as_risk(const Rcpp::List& risk, int n_classes);
// "weakest_link" or "rpart"
tectree::PenaltyRule as_penalty_rule(const std::string& rule);

// A team that R can stop by an interrupt or a time limit. One thread in a forked child, where the
// parent's threads do not exist. `say`: called by R's thread ten times a second.
tectree::Team make_team(int threads, const std::function<void()>& say = {});

// Raises an error of the package in R: its topic, and what was found.
[[noreturn]] void abort_in_r(const char* topic, const std::string& found);
// The memory that a failed call may have needed, for the message.
std::string memory_asked_for();

// Codes of a factor outside its levels. R has checked everything that a user can pass.
struct BadCodes : std::runtime_error {
  explicit BadCodes(const std::string& of)
      : std::runtime_error(of + " has codes without a level") {}
};

// Runs f; errors of the core become errors of the package.
template <class F>
auto interruptible(F f) {
  std::string found;
  const char* topic = nullptr;
  try {
    return f();
  } catch (const tectree::DamagedTree& e) {
    topic = "fit";
    found = e.what();
  } catch (const BadCodes& e) {
    topic = "column";
    found = e.what();
  } catch (const tectree::OutOfRange& e) {
    using Kind = tectree::OutOfRange::Kind;
    topic = e.of == Kind::weights ? "weights" : e.of == Kind::response ? "response" : "criterion";
    found = e.what();
  } catch (const std::bad_alloc&) {
    topic = "memory";
  } catch (const std::length_error&) {
    topic = "memory";
  }
  if (found.empty()) found = memory_asked_for();
  abort_in_r(topic, found);
}
