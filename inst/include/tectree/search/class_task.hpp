// Classification as a Task of the presorted search.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "../criterion/loss.hpp"
#include "../data/arena.hpp"
#include "../data/take.hpp"
#include "../tally/class_factors.hpp"
#include "class_groups.hpp"
#include "class_intervals.hpp"
#include "class_scan.hpp"
#include "code_scan.hpp"
#include "unit_scan.hpp"

namespace tectree {

// What all searches of one fit share.
struct ClassProblem {
  const Frame* frame = nullptr;
  const Sample* sample = nullptr;
  int n_classes = 0;
  std::shared_ptr<const Criterion> criterion;
  SearchControl control;
  KernelTable table;  // empty where weights are fractions
  double half_least = 0.5;
  Loss loss;
  ClassFactors factors;

  // Whether the column of the best cut wins, so that the others need no exact score. A split in
  // more than two may have another score for the same cut measure.
  bool best_cut_wins() const {
    const bool in_two =
        control.intervals <= 2 && control.nominal != SearchControl::Nominal::multiway;
    return criterion->score_is_cut() || (in_two && criterion->best_cut_wins());
  }
};

// A node's facts from its class counts; `share`: room for its class shares. The class is the one
// that costs least: without a loss that of the largest share, the first among equals.
template <class Count>
NodeFacts class_facts(const ClassProblem& problem, const std::vector<Count>& total, std::size_t n,
                      double* share) {
  NodeFacts facts;
  facts.n = n;
  const int k = static_cast<int>(total.size());
  int present = 0;
  for (int s = 0; s < k; ++s) {
    share[s] = static_cast<double>(total[s]);
    facts.weight += share[s];
    present += total[s] > 0;
  }
  facts.pure = present <= 1;
  facts.impurity = problem.criterion->impurity(share, k, facts.weight);
  const int chosen = problem.loss.best(share, k);
  facts.yval = chosen;
  facts.risk = problem.loss.of(share, k, chosen);
  for (int s = 0; s < k; ++s) share[s] /= facts.weight;
  return facts;
}

template <class Index, class W>
class ClassTask {
 public:
  using Count = typename W::Count;
  // Kept from node to node, so that a small node asks for no memory.
  struct Scratch {
    UnitCut::Scratch unit;
    UnitScan scan;
    std::uint64_t node = 0;    // the last node a column of which was looked at
    double floor = -HUGE_VAL;  // what a column of that node must reach to matter
    CodeScan codes;
    std::vector<BothSides<Count>> sides;
    Groups groups;
    std::vector<Count> total;
    std::vector<double> left, right;
    std::vector<std::pair<double, double>> beside;  // the values beside each contender
    Partition partition;
    BestOf best;
    std::vector<Entry<Index>> filled;
    double filling = 0.0;  // the value that stands in for those missing
  };

  // What rows of which only a part counts have for weights.
  using PartWeight = std::conditional_t<W::sized, ClassWeight, RealWeight>;

  // label and weight by row of the arena; weight empty where all are 1. Where classes count
  // differently, `case_weight` is what the factors are applied to, likewise.
  ClassTask(std::shared_ptr<const ClassProblem> problem, std::vector<std::uint16_t> label,
            std::vector<double> weight, std::vector<double> case_weight = {})
      : labels_(std::make_shared<const std::vector<std::uint16_t>>(std::move(label))),
        weights_(std::make_shared<const std::vector<double>>(std::move(weight))),
        case_weights_(std::make_shared<const std::vector<double>>(std::move(case_weight))),
        label_(labels_->data()) {
    take_problem(std::move(problem));
  }

  const std::shared_ptr<const ClassProblem>& problem() const { return problem_; }
  // The same rows by another criterion.
  ClassTask by(std::shared_ptr<const ClassProblem> problem) const {
    ClassTask out(*this);
    out.take_problem(std::move(problem));
    return out;
  }

  // Whether a small arena may keep the codes of a binned column: one cut in two by value.
  bool scans_codes(std::uint32_t c) const {
    const Column& column = problem_->frame->columns[c];
    return std::is_same_v<W, UnitWeight> && problem_->n_classes >= 2 &&
           problem_->n_classes <= CodeScan::most_classes &&
           divided_by_value(problem_->control, column.kind) &&
           (column.kind != Kind::numeric || problem_->control.intervals <= 2);
  }

  Eligible eligible() const {
    return effective(problem_->control.eligible, problem_->criterion->eligible());
  }
  bool lazy() const { return problem_->best_cut_wins(); }
  // A cut of rows that count 1 tells its sizes by its place.
  bool foresees() const {
    return std::is_same_v<W, UnitWeight> && problem_->criterion->form() == Form::linear;
  }
  // The cut measure and the score of whichever contender is the best; false where only scoring can
  // tell.
  bool foresee(const Range& node, Slot& slot) const {
    if (slot.known != node.size()) return false;
    const Criterion& criterion = *problem_->criterion;
    slot.cut = slot.score = {HUGE_VAL, -HUGE_VAL};
    for (const Contenders::Cut& c : slot.contenders.settle()) {
      const double measure = (c.high - value_.slack) * criterion.unit(),
                   error = value_.drift * criterion.unit() * (1 + 1e-12) + 1e-15 * measure;
      if (!enough_gain(measure - error, problem_->control.min_gain, slot.impurity)) return false;
      const double n_l = c.at, n_r = slot.known - c.at,
                   rate = criterion.score_per_cut(n_l, n_r, problem_->n_classes);
      slot.cut = {std::min(slot.cut.low, measure - error),
                  std::max(slot.cut.high, measure + error)};
      slot.score = {std::min(slot.score.low, (measure - error) * rate),
                    std::max(slot.score.high, (measure + error) * rate)};
    }
    return true;
  }
  double impurity() const { return impurity_; }
  // Whether the slot's best cut leaves two pure branches, so that nothing can beat it. Only where
  // every row has a value: the known rows of another column may have more to gain.
  bool unbeatable(const Slot& slot) const {
    const double off = 2 * value_.drift + 1e-12 * value_.s;
    return slot.open && slot.high >= value_.s + value_.slack - off && off < 1e-10 * value_.s &&
           problem_->criterion->pure_is_best();
  }

  NodeFacts describe(const Arena<Index>& arena, const Range& node, double* share) {
    count(arena, node);
    if constexpr (!W::sized) return class_facts(*problem_, total_, node.size(), share);
    std::vector<double> mass(case_total_);
    for (std::size_t s = 0; s < mass.size(); ++s) mass[s] *= problem_->factors.prior_of(s);
    NodeFacts facts = class_facts(*problem_, mass, node.size(), share);
    facts.size = std::accumulate(case_total_.begin(), case_total_.end(), 0.0);
    return facts;
  }

  // `every`: the best cut of every column is asked for, not only that of the one that wins.
  void begin(const Arena<Index>& arena, const Range& node, bool every) {
    ++node_;
    lets_losers_go_ = lazy() && !every;
    count(arena, node);
    w_ = weights();
    counts_.assign(total_.begin(), total_.end());
    double n = 0.0;
    for (double c : counts_) n += c;
    node_weight_ = n;
    impurity_ = problem_->criterion->impurity(counts_.data(), problem_->n_classes, n);
    value_ = cut_value(n, impurity_, node.size());
    if constexpr (narrow) {
      of_row_.resize(node.size());
      for (std::size_t i = 0; i < node.size(); ++i)
        of_row_[i] = static_cast<std::uint8_t>(label_[arena.rows[node.begin + i]]);
    }
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              Slot& slot, Team& team) {
    if (scratch.node != node_) {
      if (scratch.node == 0) scratch.scan = UnitScan(&problem_->table);
      scratch.node = node_;
      scratch.floor = -HUGE_VAL;
    }
    const Column& column = problem_->frame->columns[c];
    const bool by_level = !divided_by_value(problem_->control, column.kind);
    const bool intervals = column.kind == Kind::numeric && problem_->control.intervals > 2;
    if (on_codes(arena, c)) {
      column_of_codes(arena, node, c, scratch, slot);
    } else if (by_level || intervals || arena.columns[c].is_binned()) {
      column_of_groups(arena, node, c, intervals, scratch, slot, team);
    } else {
      column_of_entries(arena, node, c, scratch, slot);
    }
    if (lets_losers_go_ && (slot.open || slot.found))
      scratch.floor = std::max(scratch.floor, slot.low);
  }

  // Scores the contenders of a sorted column from their counts.
  void resolve(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
               Slot& slot) {
    if (on_codes(arena, c)) return resolve_codes(arena, node, c, scratch, slot);
    const ArenaColumn<Index>& column = arena.columns[c];
    std::size_t known = column.known(node.begin, node.end);
    const Entry<Index>* e = searched_entries(arena, node, c, known, scratch);
    known_total(column, node, known, scratch.total);
    const UnknownWeight unknown = unknown_weight(
        known == node.size(), std::accumulate(scratch.total.begin(), scratch.total.end(), 0.0));
    BestOf& best = start_scoring(scratch, slot);
    std::size_t i = 0;
    for (const Contenders::Cut& cut : slot.contenders.settle()) {
      for (; i < cut.at; ++i) scratch.left[label_[e[i].row]] += w_.of(e[i].row);
      score(cut.at, unknown, scratch);
    }
    slot.open = false;
    if (best.empty()) return;
    best.settle();
    const std::uint32_t at = best.at();
    const auto value = [&](const Entry<Index>& entry) {
      const double x = raw(arena, c, entry.row);
      return std::isnan(x) ? scratch.filling : x;
    };
    keep_cut(slot, static_cast<int>(c), problem_->frame->columns[c].kind, value(e[at - 1]),
             value(e[at]), best.measures());
    slot.winner.branch_weight.assign({static_cast<double>(at), static_cast<double>(known - at)});
    if constexpr (std::is_same_v<W, UnitWeight>) return;
    weigh_branches(e, known, at, slot);
  }

  template <class Divide>
  void divide(Divide) {}

  template <class Small>
  auto shrink(const Arena<Index>& from, const Small& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    std::vector<std::uint16_t> label(to.n);
    std::vector<double> weight(weights_->empty() ? 0 : to.n);
    std::vector<double> case_weight(case_weights_->empty() ? 0 : to.n);
    for (std::size_t i = 0; i < to.n; ++i) {
      const Index row = from.rows[node.begin + i];
      label[i] = label_[row];
      if (!weights_->empty()) weight[i] = (*weights_)[row];
      if (!case_weights_->empty()) case_weight[i] = (*case_weights_)[row];
    }
    return ClassTask<std::uint16_t, W>(problem_, std::move(label), std::move(weight),
                                       std::move(case_weight));
  }

  // A column's groups in a node, as the searches see them.
  void groups_of(const Arena<Index>& arena, const Range& node, std::uint32_t c, Groups& out) const {
    const W w = w_;
    const std::uint16_t* label = label_;
    collect_groups(
        arena, c, problem_->frame->columns[c], *problem_->sample, node.begin, node.end,
        problem_->n_classes, out,
        [&](double* tally, Index row) {
          const double weight = w.of(row);
          tally[label[row]] += weight;
          if constexpr (W::sized) return w.size(row);
          return weight;
        },
        fills(arena, c));
    if constexpr (W::sized) out.weigh_by_counts();
    out.unknown = unknown_weight(out.complete, out.n);
  }

  const ClassContext& context() const { return context_; }
  const SearchControl& control() const { return problem_->control; }
  double weight_of(Index row) const {
    const std::vector<double>& weight = W::sized ? *case_weights_ : *weights_;
    return weight.empty() ? 1.0 : weight[row];
  }
  // What a row adds to the weight of its node.
  double mass_of(Index row) const {
    if constexpr (!W::sized) return weight_of(row);
    return weight_of(row) * problem_->factors.prior_of(label_[row]);
  }

  // The task of some rows with weights of their own, which need not be whole.
  template <class Small>
  auto take(const Taken<Index>& taken) const {
    auto problem = std::make_shared<ClassProblem>();
    problem->frame = problem_->frame;
    problem->sample = problem_->sample;
    problem->n_classes = problem_->n_classes;
    problem->criterion = problem_->criterion;
    problem->control = problem_->control;
    problem->loss = problem_->loss;
    problem->factors = problem_->factors;
    std::vector<std::uint16_t> label;
    for (Index row : taken.rows) label.push_back(label_[row]);
    std::vector<double> weight = taken.weight;
    if constexpr (W::sized) {
      for (std::size_t i = 0; i < weight.size(); ++i)
        weight[i] *= problem_->factors.split_of(label[i]);
    }
    problem->half_least = *std::min_element(weight.begin(), weight.end()) / 2;
    return ClassTask<Small, PartWeight>(std::move(problem), std::move(label), std::move(weight),
                                        W::sized ? taken.weight : std::vector<double>());
  }

 protected:
  void take_problem(std::shared_ptr<const ClassProblem> problem) {
    problem_ = std::move(problem);
    context_ = {problem_->criterion.get(), &problem_->control, {}};
    context_.counts = {&problem_->criterion->kernel(),
                       problem_->table.empty() ? nullptr : &problem_->table, problem_->half_least};
    form_ = problem_->criterion->form();
    afresh_ = when_afresh(problem_->criterion->kernel().q());
    least_ = least_count<W>(problem_->control.min_bucket);
    const Kernel& kernel = problem_->criterion->kernel();
    squares_ = kernel.q() == 2.0 && kernel.scale() == 1.0;
  }

  W weights() const {
    W w;
    if constexpr (W::whole) {
      w.table = &problem_->table;
    } else {
      w.kernel = &problem_->criterion->kernel();
      w.half_least = problem_->half_least;
    }
    if constexpr (!std::is_same_v<W, UnitWeight>) w.weight = weights_->data();
    if constexpr (W::sized)
      w.case_weight = case_weights_->empty() ? nullptr : case_weights_->data();
    return w;
  }

  void count(const Arena<Index>& arena, const Range& node) {
    w_ = weights();
    total_.assign(problem_->n_classes, Count{0});
    if constexpr (W::sized) {
      case_total_.assign(problem_->n_classes, 0.0);
      for (std::size_t i = node.begin; i < node.end; ++i)
        case_total_[label_[arena.rows[i]]] += w_.size(arena.rows[i]);
      for (std::size_t s = 0; s < total_.size(); ++s)
        total_[s] = case_total_[s] * problem_->factors.split_of(s);
      return;
    }
    for (std::size_t i = node.begin; i < node.end; ++i)
      total_[label_[arena.rows[i]]] += w_.of(arena.rows[i]);
  }

  CutValue cut_value(double n, double impurity, std::size_t steps,
                     const UnknownWeight& unknown = {}) const {
    const Criterion& criterion = *problem_->criterion;
    return CutValue(criterion, impurity / criterion.unit(), n, steps, W::whole,
                    problem_->control.min_gain, unknown);
  }

  UnknownWeight unknown_weight(bool complete, double known) const {
    return {problem_->control.unknown, complete, known, node_weight_};
  }
  bool fills(const Arena<Index>& arena, std::uint32_t c) const {
    return problem_->control.unknown == SearchControl::Unknown::filled &&
           arena.columns[c].has_missing;
  }

  void known_total(const ArenaColumn<Index>& column, const Range& node, std::size_t known,
                   std::vector<Count>& out) const {
    out = total_;
    if (known == node.size()) return;
    out.assign(total_.size(), Count{0});
    for (std::size_t i = node.begin; i < node.begin + known; ++i) {
      const Index row = column.entries[i].row;
      out[label_[row]] += w_.of(row);
    }
  }

  // The size of the first rows of a column, whose weight is `weight`.
  double size_of(const Entry<Index>* e, std::size_t known, double weight) const {
    if constexpr (!W::sized) return weight;
    double size = 0.0;
    for (std::size_t i = 0; i < known; ++i) size += weight_of(e[i].row);
    return size;
  }

  void weigh_branches(const Entry<Index>* e, std::size_t known, std::size_t at, Slot& slot) const {
    slot.winner.branch_weight.assign(2, 0.0);
    for (std::size_t i = 0; i < known; ++i)
      slot.winner.branch_weight[i >= at] += weight_of(e[i].row);
  }

  // A column's entries as they are searched: where missing values are filled in, all are known, and
  // those rows stand beside the last of the value that stands in for theirs.
  const Entry<Index>* searched_entries(const Arena<Index>& arena, const Range& node,
                                       std::uint32_t c, std::size_t& known,
                                       Scratch& scratch) const {
    const Entry<Index>* e = arena.columns[c].entries.data() + node.begin;
    if (known == 0 || known == node.size() || !fills(arena, c)) return e;
    const bool median = problem_->frame->columns[c].kind == Kind::numeric;
    const std::size_t end = end_of_filling(e, known, median, scratch.left);
    const Index rank = e[end - 1].rank;
    std::vector<Entry<Index>>& out = scratch.filled;
    out.assign(e, e + end);
    for (std::size_t i = known; i < node.size(); ++i) out.push_back({rank, e[i].row});
    out.insert(out.end(), e + end, e + known);
    scratch.filling = raw(arena, c, e[end - 1].row);
    known = node.size();
    return out.data();
  }

  // Where the entries of the value that stands in end.
  std::size_t end_of_filling(const Entry<Index>* e, std::size_t known, bool median,
                             std::vector<double>& weight) const {
    weight.clear();
    for (std::size_t i = 0; i < known; ++i) {
      if (i == 0 || e[i].rank != e[i - 1].rank) weight.push_back(0.0);
      weight.back() += weight_of(e[i].row);
    }
    const std::size_t place = place_to_fill(weight, median);
    std::size_t group = 0, i = 1;
    for (; i < known; ++i) {
      group += e[i].rank != e[i - 1].rank;
      if (group > place) break;
    }
    return i;
  }

  void column_of_entries(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                         Scratch& scratch, Slot& slot) {
    const ArenaColumn<Index>& column = arena.columns[c];
    std::size_t known = column.known(node.begin, node.end);
    const Entry<Index>* e = searched_entries(arena, node, c, known, scratch);
    if (known < 2 || e[0].rank == e[known - 1].rank) {
      slot.constant = true;
      return;
    }
    slot.impurity = impurity_;
    slot.known = static_cast<std::uint32_t>(known);
    const auto scan = [&](const CutValue& value, const std::vector<Count>& total) {
      if constexpr (std::is_same_v<W, UnitWeight>) {
        scan_units(e, known, value, total, scratch, slot.contenders);
      } else {
        with_form(form_, [&](auto form) {
          const MovingCut<W> cut(w_, total, scratch.sides, afresh_ == Afresh::always);
          scan_cuts<decltype(form)::value>(e, static_cast<std::uint32_t>(known), label_, w_, value,
                                           least_, cut, slot.contenders, size_of(e, known, 0.0));
        });
      }
    };
    CutValue value = value_;
    if (known == node.size()) {
      scan(value, total_);
    } else {
      known_total(column, node, known, scratch.total);
      const std::vector<double> counts(scratch.total.begin(), scratch.total.end());
      double n = 0.0;
      for (double x : counts) n += x;
      slot.impurity = problem_->criterion->impurity(counts.data(), problem_->n_classes, n);
      value = cut_value(n, slot.impurity, known, unknown_weight(false, n));
      scan(value, scratch.total);
    }
    if (slot.contenders.empty()) return;
    open(slot, value);
  }

  void scan_units(const Entry<Index>* e, std::size_t known, const CutValue& value,
                  const std::vector<std::uint32_t>& total, Scratch& scratch,
                  Contenders& out) const {
    const KernelTable& table = problem_->table;
    const auto n = static_cast<std::uint32_t>(known);
    const bool packs = total.size() <= PackedCut::most_classes && n <= PackedCut::most_rows;
    const UnitColumn<Index, std::uint16_t> column{e,       label_,       n, value, least_,
                                                  afresh_, scratch.floor};
    with_form(form_, [&](auto form) {
      constexpr Form f = decltype(form)::value;
      if (packs) return scratch.scan.template offer_cuts<f>(column, PackedCut(table, total), out);
      scratch.scan.template offer_cuts<f>(column, UnitCut(table, total, scratch.unit), out);
    });
  }

  void column_of_groups(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                        bool intervals, Scratch& scratch, Slot& slot, Team& team) {
    Groups& groups = scratch.groups;
    groups_of(arena, node, c, groups);
    const Column& column = problem_->frame->columns[c];
    slot.impurity = problem_->criterion->impurity(groups.total.data(), groups.stride, groups.n);
    const CutValue value = cut_value(groups.n, slot.impurity, node.size(), groups.unknown);
    if (intervals) {
      search_intervals(context_, groups, static_cast<int>(c), value, team, slot);
    } else {
      search_groups(context_, groups, static_cast<int>(c), column.kind, column.n_levels, value,
                    slot);
    }
    slot.low = slot.high = slot.winner.cut / problem_->criterion->unit();
  }

  void open(Slot& slot, const CutValue& value) const {
    slot.open = true;
    slot.low = slot.contenders.floor();
    slot.high = slot.contenders.high();
    if (form_ != Form::ratio)
      slot.reach = (slot.high - value.slack - 4 * value.drift) * problem_->criterion->unit();
  }

  static constexpr bool narrow = sizeof(Index) <= 2 && std::is_same_v<W, UnitWeight>;
  bool on_codes(const Arena<Index>& arena, std::uint32_t c) const {
    return narrow && arena.columns[c].is_binned();
  }

  CodedNode<Index> coded_node(const Arena<Index>& arena, const Range& node,
                              const Binned& binned) const {
    return {binned.code.data(), arena.rows.data() + node.begin, of_row_.data(), node.size()};
  }

  void column_of_codes(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                       Scratch& scratch, Slot& slot) {
    if constexpr (narrow) {
      const Binned& binned = arena.columns[c].binned;
      scratch.codes.count(coded_node(arena, node, binned), binned.values.size());
      const auto rows = static_cast<std::uint32_t>(node.size());
      with_form(form_, [&](auto form) {
        constexpr Form f = decltype(form)::value;
        slot.constant = !scratch.codes.template offer_cuts<f>(
            total_, rows, problem_->table, squares_, value_, least_, slot.contenders);
      });
      if (slot.contenders.empty()) return;
      slot.impurity = impurity_;
      slot.known = rows;
      open(slot, value_);
    }
  }

  // Scores the contenders of a column of codes.
  void resolve_codes(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                     Scratch& scratch, Slot& slot) {
    const Binned& binned = arena.columns[c].binned;
    BestOf& best = start_scoring(scratch, slot);
    scratch.total = total_;
    scratch.codes.count(coded_node(arena, node, binned), binned.values.size());
    const std::vector<Contenders::Cut>& cuts = slot.contenders.settle();
    scratch.beside.assign(cuts.size(), {});
    std::size_t next = 0;
    std::uint32_t n = 0;
    bool after = false;
    scratch.codes.each_code([&](std::size_t code, const std::uint16_t* counts) {
      const auto value = binned.values[code];
      if (after) scratch.beside[next++].second = value;
      for (int s = 0; s < problem_->n_classes; ++s) {
        scratch.left[s] += counts[s];
        n += counts[s];
      }
      after = next < cuts.size() && cuts[next].at == n;
      if (!after) return;
      score(static_cast<std::uint32_t>(next), {}, scratch);
      scratch.beside[next].first = value;
    });
    slot.open = false;
    if (best.empty()) return;
    best.settle();
    const auto [below, above] = scratch.beside[best.at()];
    keep_cut(slot, static_cast<int>(c), problem_->frame->columns[c].kind, below, above,
             best.measures());
    const double at = cuts[best.at()].at;
    slot.winner.branch_weight.assign({at, static_cast<double>(node.size()) - at});
  }

  BestOf& start_scoring(Scratch& scratch, const Slot& slot) const {
    scratch.left.assign(problem_->n_classes, 0.0);
    scratch.right.assign(problem_->n_classes, 0.0);
    scratch.best.start(problem_->control.min_gain, slot.impurity);
    return scratch.best;
  }

  // Adds the cut with scratch.left on its left to scratch.best.
  void score(std::uint32_t at, const UnknownWeight& unknown, Scratch& scratch) const {
    const int k = problem_->n_classes;
    double n_left = 0.0, n_right = 0.0;
    for (int s = 0; s < k; ++s) {
      scratch.right[s] = context_.counts.rest(scratch.total[s], scratch.left[s]);
      n_left += scratch.left[s];
      n_right += scratch.right[s];
    }
    Partition& p = scratch.partition;
    p.start(k);
    p.share = unknown.share;
    p.unknown = unknown.weight;
    p.add(scratch.left.data(), n_left);
    p.add(scratch.right.data(), n_right);
    scratch.best.add(at, problem_->criterion->measure(p));
  }

  double raw(const Arena<Index>& arena, std::uint32_t c, Index row) const {
    return problem_->frame->columns[c].value(problem_->sample->row(arena.position(row)));
  }

  std::shared_ptr<const ClassProblem> problem_;
  ClassContext context_;
  std::shared_ptr<const std::vector<std::uint16_t>> labels_;  // shared by forks
  std::shared_ptr<const std::vector<double>> weights_, case_weights_;
  const std::uint16_t* label_;
  W w_{};
  std::vector<Count> total_;
  std::vector<double> counts_, case_total_;  // of the node
  double impurity_ = 0.0, node_weight_ = 0.0;
  CutValue value_;
  std::uint64_t node_ = 0;  // how many nodes there have been
  bool lets_losers_go_ = false;
  Form form_;
  Afresh afresh_;
  Count least_;
  bool squares_;                      // phi is the square
  std::vector<std::uint8_t> of_row_;  // the classes of the node's rows
};

}  // namespace tectree
