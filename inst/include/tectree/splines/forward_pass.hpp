// The forward pass: adds the pair of hinges, or the whole column, times an existing term, that
// reduces the squared error most, until nothing more is gained. The rules, limits and their order
// are those of the package earth (Milborrow), so that the terms agree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../base/team.hpp"
#include "knot_scan.hpp"
#include "orthonormal_terms.hpp"
#include "parent_queue.hpp"
#include "spline_rows.hpp"

namespace tectree {

class ForwardPass {
 public:
  // The responses of `in`, centred if requested, and scaled.
  ForwardPass(const SplineData& in, const SplineRules& rules, Team& team)
      : in_(in),
        rules_(rules),
        team_(team),
        queue_(rules.fast_k, rules.fast_beta),
        rows_(in, team),
        orthonormal_(rows_, rules.terms) {
    add_intercept();
  }
  ForwardPass(const ForwardPass&) = delete;

  // Terms 2i + 1 and 2i + 2 are a pair.
  std::vector<SplineTerm> terms;
  SplineEnd end = SplineEnd::terms;

  void run() {
    if (rules_.terms < 3) return;
    const double rows = static_cast<double>(in_.rows);
    const double null = rows_.squares_of_responses();
    if (null < 1e-8 * rows * static_cast<double>(in_.responses)) {
      end = SplineEnd::constant;
      return;
    }
    const double worst = gcv(1, rows, null, rules_.penalty);
    double rss = null, gain = null;
    int used = 1;
    queue_.add(1, null);
    queue_.sort(1);
    for (;;) {
      const Choice best = choose(std::min(1.01 * rss, 10 * gain));
      if (best.at < 0) {
        end = SplineEnd::no_term;
        return;
      }
      const bool pair = best.at > 0 && best.new_form;
      used += pair ? 2 : 1;
      gain = best.gain;
      rss = small(rss - gain) ? 0 : rss - gain;
      const double r_squared = 1 - rss / null;
      if (rules_.thresh != 0) {
        if (gain / null < rules_.thresh) {
          end = SplineEnd::little;
          return;
        }
        if (1 - gcv(used, rows, rss, rules_.penalty) / worst < -10) {
          end = SplineEnd::worse;
          return;
        }
      }
      add(best, pair);
      if (rss <= 0 || r_squared >= 1 - rules_.thresh) {
        end = SplineEnd::perfect;
        return;
      }
      if (static_cast<int>(terms.size()) >= rules_.terms - 1) return;
    }
  }

 private:
  using Rest = OrthonormalTerms::Rest;

  // A column with a smaller square beyond the terms does not enter as a whole.
  static constexpr double least_square = 0.01;
  static constexpr std::size_t most_kept = std::size_t{1} << 24;  // numbers: 128 MB of residuals

  struct Choice {
    long at = -1;  // position of the knot in the order of the column; 0: the whole column
    int parent = 0;
    std::size_t column = 0;
    double gain = 0;
    bool new_form = false;
  };

  struct Candidate {
    bool tried = false, new_form = false;
    double whole = 0;
    Knot knot;
  };

  // Working space of one thread.
  struct Scratch {
    WholeTerm whole;
    Rest rest;
    KnotScan scan;
  };

  static bool small(double x) { return x > -1e-10 && x < 1e-10; }

  // ---- terms ----

  SplineTerm empty_term() const {
    SplineTerm out;
    out.side.assign(in_.columns, Side::none);
    out.cut.assign(in_.columns, 0.0);
    return out;
  }

  void add_intercept() {
    SplineTerm one = empty_term();
    one.used = true;
    one.values.assign(in_.rows, 1.0);
    terms.push_back(std::move(one));
  }

  void add(const Choice& best, bool pair) {
    const int before = static_cast<int>(terms.size());
    const bool whole = best.at == 0;
    const double* x = in_.column(best.column);
    const double cut = x[rows_.order(best.column)[best.at]];
    SplineTerm upper = empty_term();
    const SplineTerm& parent = terms[static_cast<std::size_t>(best.parent)];
    upper.side = parent.side;
    upper.cut = parent.cut;
    upper.degree = parent.degree + 1;
    SplineTerm lower = upper;
    upper.side[best.column] = whole ? Side::whole : Side::above;
    lower.side[best.column] = Side::below;
    upper.cut[best.column] = lower.cut[best.column] = cut;
    upper.values.resize(in_.rows);
    lower.values.resize(in_.rows);
    for (std::size_t i = 0; i < in_.rows; ++i) {
      const double b = parent.values[i];
      upper.values[i] = b * (whole ? x[i] : std::max(0.0, x[i] - cut));
      lower.values[i] = b * std::max(0.0, cut - x[i]);
    }
    upper.used = true;
    lower.used = pair;
    if (!pair) lower.values.assign(in_.rows, 0.0);
    terms.push_back(std::move(upper));
    orthonormal_.enter(terms.back());
    terms.push_back(std::move(lower));
    orthonormal_.enter(terms.back());
    queue_.add(before, HUGE_VAL);
    if (pair) queue_.add(before, HUGE_VAL);
    queue_.sort(before);
  }

  // ---- the best next term ----

  Choice choose(double most_gain) {
    orthonormal_.make_products();
    Choice best;
    std::vector<Candidate> found(in_.columns);
    std::vector<Scratch> scratch(static_cast<std::size_t>(team_.size()));
    const bool share = Team::worth(in_.rows * in_.columns);
    for (int parent : queue_.parents()) {
      team_.check();
      const SplineTerm& term = terms[static_cast<std::size_t>(parent)];
      // The other place of a pair, if it is empty, is not a parent.
      if (!term.used || term.degree >= rules_.degree) continue;
      const Spans spans = spans_under(term);
      const bool kept = keep_rests(static_cast<std::size_t>(parent));
      team_.each_if(share, in_.columns, [&](std::size_t j, Team& inner) {
        Scratch& own = scratch[static_cast<std::size_t>(inner.worker())];
        Rest& rest = kept ? rests_[static_cast<std::size_t>(parent)][j] : own.rest;
        if (!kept) rest.values.clear();
        found[j] = look_at(term, j, spans, most_gain, rest, own);
      });
      double most = -1;
      for (std::size_t j = 0; j < in_.columns; ++j) {
        const Candidate& one = found[j];
        if (!one.tried) continue;
        most = std::max({most, one.whole, one.knot.gain});
        if (one.whole > best.gain) {
          best = {0, parent, j, one.whole, best.new_form};
        }
        if (one.knot.gain > best.gain) best = {one.knot.at, parent, j, one.knot.gain, one.new_form};
      }
      queue_.set(parent, static_cast<int>(terms.size()), most);
    }
    return best;
  }

  // Whether the residuals of this parent's columns are kept from search to search, if there is
  // room.
  bool keep_rests(std::size_t parent) {
    rests_.resize(terms.size());
    if (!rests_[parent].empty()) return true;
    const std::size_t more = in_.rows * in_.columns;
    if (kept_ + more > most_kept) return false;
    kept_ += more;
    rests_[parent].resize(in_.columns);
    return true;
  }

  Spans spans_under(const SplineTerm& parent) const {
    long positive = 0;
    for (double b : parent.values) positive += b > 0;
    return find_spans(rules_.spans, in_.columns, parent.degree + 1, static_cast<long>(in_.rows),
                      positive);
  }

  Candidate look_at(const SplineTerm& parent, std::size_t j, const Spans& spans, double most_gain,
                    Rest& rest, Scratch& scratch) const {
    Candidate out;
    if (parent.side[j] != Side::none) return out;
    out.tried = true;
    out.new_form = is_new_form(parent, j);
    const bool asked = out.new_form;
    WholeTerm& whole = scratch.whole;
    whole.there = false;
    whole.gain = 0;
    if (asked) out.new_form = enter_whole(parent, j, rest, whole);
    out.whole = out.knot.gain = whole.gain;
    // If a column has two values, hinges are the column itself.
    if (out.new_form && rows_.two_values[j]) return out;
    ScanView view = orthonormal_.view();
    view.most_gain = most_gain;
    view.tolerance = terms.size() + (out.new_form ? 1 : 0) < 15 ? 0.01 : 1e-5;
    out.knot =
        scratch.scan.find(view, in_.column(j), rows_.order(j), parent.values.data(), spans, whole);
    return out;
  }

  // Whether no term has exactly these columns, so that the whole column may be new.
  bool is_new_form(const SplineTerm& parent, std::size_t j) const {
    bool out = true;
    for (std::size_t t = 1; t < terms.size(); ++t) {
      if (!terms[t].used) continue;
      out = false;
      if (terms[t].side[j] == Side::none) return true;
      for (std::size_t k = 0; k < in_.columns; ++k) {
        if (k != j && (terms[t].side[k] != Side::none) != (parent.side[k] != Side::none))
          return true;
      }
    }
    return out;
  }

  // Whether the whole column, times the parent, has anything beyond the terms.
  bool enter_whole(const SplineTerm& parent, std::size_t j, Rest& rest, WholeTerm& whole) const {
    if (rest.values.empty()) orthonormal_.start_rest(parent.values.data(), in_.column(j), rest);
    const double square = orthonormal_.take_out_terms(rest);
    if (!(square > least_square)) return false;
    const std::vector<double>& q = rest.values;
    const double length = std::sqrt(square), mean = orthonormal_.mean_of(q) / length;
    whole.there = true;
    whole.products.assign(in_.responses, 0.0);
    for (std::size_t r = 0; r < in_.responses; ++r) {
      const double* y = rows_.root_y.data() + r * in_.rows;
      double sum = 0;
      for (std::size_t i = 0; i < in_.rows; ++i) sum += y[i] * q[i];
      whole.products[r] = sum / length;
      whole.gain += whole.products[r] * whole.products[r];
    }
    whole.column.resize(in_.rows);
    for (std::size_t i = 0; i < in_.rows; ++i)
      whole.column[i] = rows_.root[i] * (q[i] / length - rows_.root[i] * mean);
    return true;
  }

  const SplineData& in_;
  const SplineRules& rules_;
  Team& team_;
  ParentQueue queue_;
  SplineRows rows_;
  OrthonormalTerms orthonormal_;
  std::vector<std::vector<Rest>> rests_;  // by parent and column
  std::size_t kept_ = 0;
};

}  // namespace tectree
