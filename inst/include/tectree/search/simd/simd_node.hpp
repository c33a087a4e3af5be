// A node whose columns' cuts are valued eight at a time where its arena is small, whatever its rows
// weigh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../../base/simd.hpp"
#include "../classes/class_problem.hpp"
#ifdef TECTREE_VECTORS
#include "simd_scan.hpp"
#include "unit_cuts.hpp"
#include "weight_cuts.hpp"
#endif

namespace tectree {

// Cuts are valued one by one: in a large arena, and without vectors.
template <class Index, class W>
class SimdNode {
 public:
  struct Scratch {};

  template <class Weights>
  SimdNode(const std::vector<std::uint16_t>&, std::size_t, bool, Weights) {}

  void look_at(const ClassProblem&, typename W::Count, bool) {}
  static constexpr bool tagged() { return false; }
  static constexpr std::uint32_t tag_of(std::size_t) { return 0; }
  template <class Total, class EachRow>
  void begin(const W&, const Total&, EachRow) {}
  static constexpr bool on() { return false; }
  template <class Use>
  void with_scan(Scratch&, Use) const {}
  template <Form form, class Total, class EachRow, class Use>
  bool with_column(const W&, const Total&, const EachRow*, Scratch&, Use) const {
    return false;
  }
};

#ifdef TECTREE_VECTORS

template <class W>
class SimdNode<std::uint16_t, W> {
 public:
  using Count = typename W::Count;

  template <class Cuts>
  struct Space {
    SimdScan<Cuts> scan;
    typename Cuts::Sides sides;  // of a column whose values some rows lack
  };
  struct Scratch {
    Space<UnitCuts> unit;
    Space<WeightCuts<W>> weight;
  };

  // By row of the arena; weights() are asked for unless each row counts 1.
  template <class Weights>
  SimdNode(const std::vector<std::uint16_t>& labels, std::size_t classes, bool unit,
           Weights weights)
      : unit_(unit), tags_(labels, classes) {
    if (!unit_ && tags_.fit()) units_ = std::make_shared<const RowUnits>(weights());
    rows_fit_ = tags_.fit() && (unit_ || !units_->empty());
  }

  void look_at(const ClassProblem& problem, Count least, bool joint) {
    problem_ = &problem;
    least_ = least;
    joint_ = joint;
    const Kernel& kernel = problem.criterion->kernel();
    suits_ = tagged() && problem.criterion->form() != Form::ratio &&
             (unit_ ? !problem.table.single.empty() : WeightCuts<W>::suits(kernel));
  }

  // Whether entries tell the classes of their rows, for this criterion or another.
  bool tagged() const { return rows_fit_ && has_simd(); }
  std::uint32_t tag_of(std::size_t label) const { return tags_.of(label); }

  // each_row(use) calls use(row, class) for the node's rows.
  template <class EachRow>
  void begin(const W& w, const std::vector<Count>& total, EachRow each_row) {
    if (!suits_) return;
    if constexpr (W::whole) {
      if (unit_) return make(unit_sides_, w, total, each_row);
    }
    make(weight_sides_, w, total, each_row);
  }
  // Whether cuts of this node are valued so.
  bool on() const { return suits_ && (unit_ || weight_sides_.fit()); }

  // use(scan, sides of the node).
  template <class Use>
  void with_scan(Scratch& scratch, Use use) const {
    if constexpr (W::whole) {
      if (unit_) return use(scratch.unit.scan, unit_sides_);
    }
    use(scratch.weight.scan, weight_sides_);
  }

  // use(scan) for a column of which these are the class counts; false where it has rows that single
  // precision cannot hold. each_row() as above, of the column's rows; null where they are the
  // node's.
  template <Form form, class EachRow, class Use>
  bool with_column(const W& w, const std::vector<Count>& total, const EachRow* each_row,
                   Scratch& scratch, Use use) const {
    const auto start = [&](auto& space, const auto& of_node) {
      if (each_row) make(space.sides, w, total, *each_row);
      const auto& sides = each_row ? space.sides : of_node;
      if (!sides.fit()) return false;
      space.scan.template start<form>(sides);
      use(space.scan);
      return true;
    };
    if constexpr (W::whole) {
      if (unit_) return start(scratch.unit, unit_sides_);
    }
    return start(scratch.weight, weight_sides_);
  }

 private:
  template <class EachRow>
  void make(UnitSides& out, const W&, const std::vector<Count>& total, EachRow) const {
    out.make(problem_->table, total, tags_, least_, joint_);
  }
  template <class EachRow>
  void make(WeightSides<W>& out, const W& w, const std::vector<Count>& total,
            EachRow each_row) const {
    const auto factor = [&](std::size_t s) {
      return w.sized() ? problem_->factors.split_of(s) : 1.0;
    };
    out.make(problem_->criterion->kernel(), w, *units_, tags_, total, least_, factor, each_row);
  }

  const ClassProblem* problem_ = nullptr;
  Count least_{};
  bool joint_ = false;     // both sides of a cut weigh the same
  bool unit_;              // every row counts 1
  bool rows_fit_ = false;  // and their classes and weights
  bool suits_ = false;     // and the criterion
  ClassTags tags_;
  std::shared_ptr<const RowUnits> units_;
  UnitSides unit_sides_;
  WeightSides<W> weight_sides_;
};

#endif

}  // namespace tectree
