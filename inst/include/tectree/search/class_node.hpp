// The node that a classification's search looks at: what it counts, what a cut there measures, and
// what the search asks of the criterion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "class_groups.hpp"
#include "class_rows.hpp"
#include "code_scan.hpp"
#include "cut_foresight.hpp"
#include "eight_scan.hpp"
#include "unit_scan.hpp"

namespace tectree {

// What a node of a small arena of rows that count 1 keeps for the scans of its columns.
struct SmallNode {
  std::vector<std::uint8_t> classes;  // of the node's rows
  EightTables eight;
  CrossingSteps steps;
  JointSums joint;
};
struct Nothing {};

template <class Index, class W>
class ClassNode : public ClassRows<Index, W> {
 public:
  using Rows = ClassRows<Index, W>;
  using Count = typename W::Count;

  explicit ClassNode(Rows rows) : Rows(std::move(rows)) {
    look_at_problem();
    if (!narrow || problem_->n_classes > static_cast<int>(CrossingSteps::most_classes)) return;
    auto lanes = std::make_shared<std::vector<std::uint8_t>>();
    lanes->reserve(this->labels_->size());
    for (std::uint16_t s : *this->labels_) lanes->push_back(CrossingSteps::lane(s));
    lanes_ = std::move(lanes);
  }

  // Puts the rows' classes into the arena's entries where cuts may be valued eight at a time, by
  // this criterion or another of the same rows.
  void tag(Arena<Index>& arena) const {
    if constexpr (narrow) {
      if (!EightTables::suit(problem_->n_classes)) return;
      for (std::uint32_t c : arena.present) {
        for (auto& e : arena.columns[c].entries) e.tag = label_[e.row] & (Entry<Index>::tags - 1);
      }
    }
  }

  Eligible eligible() const {
    return effective(problem_->control.eligible, problem_->criterion->eligible());
  }
  bool lazy() const { return problem_->best_cut_wins(); }
  // A cut of rows that count 1 tells its sizes by its place.
  bool foresees() const {
    return std::is_same_v<W, UnitWeight> && problem_->criterion->form() == Form::linear;
  }
  bool foresee_cut(const Range& node, Slot& slot) const {
    if (slot.known != node.size()) return false;
    const double unit = problem_->criterion->unit();
    return tectree::foresee_cut(unit, problem_->control.min_gain, value_, slot);
  }
  void foresee_score(Slot& slot) const {
    tectree::foresee_score(*problem_->criterion, problem_->n_classes, value_, problem_->table.phi,
                           slot);
  }
  double impurity() const { return impurity_; }
  // Whether the slot's best cut leaves two pure branches, so that nothing can beat it. Only where
  // every row has a value: the known rows of another column may have more to gain.
  bool unbeatable(const Slot& slot) const {
    const double off = 2 * value_.drift + 1e-12 * value_.s;
    return slot.open && slot.high >= value_.s + value_.slack - off && off < 1e-10 * value_.s &&
           problem_->criterion->pure_is_best();
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    this->count(arena, node);
    counts_.assign(total_.begin(), total_.end());
    double n = 0.0;
    for (double c : counts_) n += c;
    node_weight_ = n;
    impurity_ = problem_->criterion->impurity(counts_.data(), problem_->n_classes, n);
    value_ = cut_value(n, impurity_, node.size());
    if constexpr (narrow) prepare_scans(arena, node);
  }

  const ClassContext& context() const { return context_; }
  const SearchControl& control() const { return problem_->control; }

 protected:
  using Rows::label_;
  using Rows::problem_;
  using Rows::total_;
  using Rows::w_;

  void look_at_problem() {
    context_ = {problem_->criterion.get(), &problem_->control, {}};
    context_.counts = {&problem_->criterion->kernel(),
                       problem_->table.empty() ? nullptr : &problem_->table, problem_->half_least};
    form_ = problem_->criterion->form();
    afresh_ = when_afresh(problem_->criterion->kernel().q());
    joint_ = afresh_ != Afresh::always &&
             (form_ == Form::power || problem_->criterion->kernel().q() == 1.0);
    least_ = least_count<W>(problem_->control.min_bucket);
    by_eight_ = EightTables::suit(problem_->n_classes) && !problem_->table.single.empty();
    const Kernel& kernel = problem_->criterion->kernel();
    squares_ = kernel.q() == 2.0 && kernel.scale() == 1.0;
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

  // What the scans of all its columns share.
  void prepare_scans(const Arena<Index>& arena, const Range& node) {
    std::size_t on_codes = 0;
    for (std::uint32_t c : *node.columns) on_codes += arena.columns[c].is_binned();
    if (on_codes > 0) {
      small_.classes.resize(node.size());
      for (std::size_t i = 0; i < node.size(); ++i)
        small_.classes[i] = static_cast<std::uint8_t>(label_[arena.rows[node.begin + i]]);
      if (joins_codes()) small_.joint.make(problem_->table.phi, total_);
    }
    if (!packs() || on_codes == node.columns->size()) return;
    if (by_eight_) {
      small_.eight.make(problem_->table, total_, joint_);
    } else {
      small_.steps.make(problem_->table, total_, joint_);
    }
  }

  // Tells where the best cut measures of the node's columns lie, in their slots' units and without
  // contenders: -Inf where there is no cut, up to Inf where only the search tells. `may_stop`: not
  // behind a column that none may beat. `placed`: opens the slots whose best cut has one place,
  // with the spans of their cuts, where both sides of a cut weigh the same. False where it would
  // tell nothing.
  template <bool placed>
  bool glance_by_eights(const Arena<Index>& arena, const Range& node, bool may_stop,
                        EightScan& scan, std::vector<Slot>& slots) const {
    if (!packs() || !by_eight_ || (placed && !joint_)) return false;
    scan.clear();
    for (std::uint32_t c : *node.columns) {
      Slot& slot = slots[c];
      slot.reset();
      slot.low = -HUGE_VAL;
      slot.high = HUGE_VAL;
      if (!in_plain_order(arena, c)) continue;
      const auto* e = arena.columns[c].entries.data() + node.begin;
      slot.constant = node.size() < 2 || e[0].rank == e[node.size() - 1].rank;
      if (slot.constant) {
        slot.high = -HUGE_VAL;
      } else if constexpr (narrow) {
        scan.add(c, e);
      }
    }
    const double enough = may_stop ? value_.s : HUGE_VAL;
    const auto known = static_cast<std::uint32_t>(node.size());
    with_form(form_, [&](auto form) {
      constexpr Form f = decltype(form)::value;
      if constexpr (f == Form::ratio || (placed && f != Form::linear)) return;
      scan.template start<f>(small_.eight, known, least_of_side());
      scan.template best<f, placed>(
          value_, enough,
          [&](std::uint32_t c, const CutValue::Estimate& best, std::uint32_t place) {
            Slot& slot = slots[c];
            slot.low = best.low;
            slot.high = best.high;
            if (placed && place > 0) this->open_at(place, known, slot);
          });
    });
    return true;
  }
  // Where the gain is surely enough.
  void open_at(std::uint32_t place, std::uint32_t known, Slot& slot) const {
    slot.impurity = impurity_;
    slot.known = known;
    slot.open = tectree::foresee_cut(problem_->criterion->unit(), problem_->control.min_gain, slot);
    if (slot.open) slot.place = place;
  }
  // Whether every row has a value in the column, and thresholds are all that is looked for.
  bool in_plain_order(const Arena<Index>& arena, std::uint32_t c) const {
    return !on_codes(arena, c) && !arena.columns[c].has_missing &&
           problem_->control.intervals <= 2 &&
           divided_by_value(problem_->control, problem_->frame->columns[c].kind);
  }

  bool joins_codes() const { return joint_ && !squares_ && form_ != Form::ratio; }
  CodeTables code_tables() const {
    return {problem_->table, squares_, joins_codes() ? &small_.joint : nullptr};
  }
  bool packs() const { return lanes_ && form_ != Form::ratio; }
  // What scans of rows with these class counts look up, `nodes` where the counts are the node's;
  // `own`: working space where they are not.
  template <class Tables>
  const Tables& tables_of(const std::vector<std::uint32_t>& total, const Tables& nodes,
                          Tables& own) const {
    if (&total == &total_) return nodes;
    own.make(problem_->table, total, joint_);
    return own;
  }

  std::uint32_t least_of_side() const { return std::max<std::uint32_t>(least_, 1u); }

  double raw(const Arena<Index>& arena, std::uint32_t c, Index row) const {
    return problem_->frame->columns[c].value(problem_->sample->row(arena.position(row)));
  }

  ClassContext context_;
  std::vector<double> counts_;  // of the node
  double impurity_ = 0.0, node_weight_ = 0.0;
  CutValue value_;
  Form form_;
  Afresh afresh_;
  Count least_;
  bool squares_;   // phi is the square
  bool joint_;     // the steps of both sides of a cut are added up
  bool by_eight_;  // cuts are valued eight at a time
  std::conditional_t<narrow, SmallNode, Nothing> small_;
  std::shared_ptr<const std::vector<std::uint8_t>> lanes_;  // of the rows' classes, null if many
};

}  // namespace tectree
