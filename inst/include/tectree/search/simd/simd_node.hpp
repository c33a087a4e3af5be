// A node whose columns' cuts are valued eight at a time, if its arena is small; for any weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../base/simd.hpp"
#include "../choose/column_result.hpp"
#include "../door/node_search.hpp"
#include "../scan/class_scan.hpp"
#ifdef TECTREE_VECTORS
#include "simd_scan.hpp"
#include "unit_cuts.hpp"
#include "weight_cuts.hpp"
#endif

namespace tectree {

// Cuts are valued one by one in a large arena, and without vectors.
template <class Index, class W>
class SimdNode {
 public:
  struct Scratch {};

  template <class Rows>
  SimdNode(const Rows&, std::size_t) {}

  void set_criterion(const Criterion&, const KernelTable&, const ClassFactors&, typename W::Count,
                     bool) {}
  void weigh(const Index*, const double*, std::size_t, std::size_t) {}
  static constexpr bool tagged() { return false; }
  static constexpr std::uint32_t tag_of(std::size_t) { return 0; }
  template <class Total, class EachRow>
  void begin(const W&, const Total&, EachRow) {}
  static constexpr bool on() { return false; }
  template <Form form, class Total, class EachRow, class Use>
  bool with_column(const W&, const Total&, const EachRow*, Scratch&, Use) const {
    return false;
  }
  template <bool placed, class Plain, class Place>
  bool preview(const Arena<Index>&, const Range&, Form, const CutValue&, double, Plain, Place,
               Scratch&, std::vector<ColumnResult>&) const {
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
    typename Cuts::Sides sides;  // of a column with missing values
  };
  struct Scratch {
    Space<UnitCuts> unit;
    Space<WeightCuts<W>> weight;
  };

  // `rows`: see ClassRows.
  template <class Rows>
  SimdNode(const Rows& rows, std::size_t classes)
      : unit_(rows.count_one()), tags_(rows.labels(), classes) {
    if (!unit_ && tags_.fit()) {
      units_ = std::make_shared<RowUnits>(rows.case_weights());
      if (rows.has_sizes()) units_->set_sizes(rows.own_sizes());
    }
  }

  // Sets the case weights of a node's rows; no copy is in use. `all`: the rows of the arena.
  void weigh(const std::uint16_t* rows, const double* weight, std::size_t n, std::size_t all) {
    if (units_) units_->set(rows, weight, n, all);
  }

  // `least`: on a side; `joint`: both sides of a cut have the same alpha.
  void set_criterion(const Criterion& criterion, const KernelTable& table,
                     const ClassFactors& factors, Count least, bool joint) {
    kernel_ = &criterion.kernel();
    table_ = &table;
    factors_ = &factors;
    by_class_ = !factors.plain();
    least_ = least;
    joint_ = joint;
    suits_ = tagged() && criterion.form() != Form::ratio &&
             (unit_ ? !table.single.empty() : WeightCuts<W>::suits(*kernel_));
  }

  // Whether entries are tagged with the classes of their rows, for this criterion or another.
  bool tagged() const { return tags_.fit() && has_simd(); }
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
  // Whether cuts of this node are valued eight at a time.
  bool on() const { return suits_ && (unit_ || (!units_->empty() && weight_sides_.fit())); }

  // use(scan) for a column with these class counts; false if single precision does not suffice.
  // each_unknown() as each_row() above, for the node's other rows; null if there are none.
  template <Form form, class EachRow, class Use>
  bool with_column(const W& w, const std::vector<Count>& total, const EachRow* each_unknown,
                   Scratch& scratch, Use use) const {
    const auto start = [&](auto& space, const auto& of_node) {
      if (each_unknown) make_without(space.sides, of_node, w, total, *each_unknown);
      const auto& sides = each_unknown ? space.sides : of_node;
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

  // Bounds the measures of the best cuts of the node's columns, without contenders. A result is
  // bounded by -Inf if there is no cut; by +Inf if nothing is known, as for a column that is not
  // is_plain(c) or comes after one that may reach `enough`. If `placed`, calls place(at, result) if
  // only one cut can be the best. False if there is no preview.
  template <bool placed, class Plain, class Place>
  bool preview(const Arena<std::uint16_t>& arena, const Range& node, Form form,
               const CutValue& value, double enough, Plain is_plain, Place place, Scratch& scratch,
               std::vector<ColumnResult>& results) const {
    if (!on()) return false;
    with_scan(scratch, [&](auto& scan, const auto& sides) {
      add_columns(arena, node, is_plain, scan, results);
      // The node's tables may be missing if no column is previewed.
      if (scan.empty()) return;
      with_form(form, [&](auto its) {
        constexpr Form f = decltype(its)::value;
        if constexpr (f != Form::ratio && (!placed || f == Form::linear)) {
          scan.template start<f>(sides);
          scan.template bound_columns<f, placed>(
              value, enough,
              [&](std::uint32_t c, const CutValue::Estimate& best, std::uint32_t at) {
                ColumnResult& result = results[c];
                result.low = best.low;
                result.high = best.high;
                if (placed && at > 0) place(at, result);
              });
        }
      });
    });
    return true;
  }

 private:
  // use(scan, sides of the node).
  template <class Use>
  void with_scan(Scratch& scratch, Use use) const {
    if constexpr (W::whole) {
      if (unit_) return use(scratch.unit.scan, unit_sides_);
    }
    use(scratch.weight.scan, weight_sides_);
  }
  // The columns with sorted rows and without missing values that are cut in two.
  template <class Plain, class Scan>
  static void add_columns(const Arena<std::uint16_t>& arena, const Range& node, Plain is_plain,
                          Scan& scan, std::vector<ColumnResult>& results) {
    scan.clear();
    for (std::uint32_t c : *node.columns) {
      ColumnResult& result = results[c];
      result.reset();
      result.state = ColumnResult::State::bounded;
      result.low = -HUGE_VAL;
      result.high = HUGE_VAL;
      if (!is_plain(c) || !column_of(arena, node, c).complete()) continue;
      const auto* e = arena.columns[c].entries.data() + node.begin;
      if (node.size() < 2 || e[0].rank == e[node.size() - 1].rank) {
        result.high = -HUGE_VAL;
      } else {
        scan.add(c, e);
      }
    }
  }

  template <class EachRow>
  void make(UnitSides& out, const W&, const std::vector<Count>& total, EachRow) const {
    out.make(*table_, total, tags_, least_, joint_);
  }
  template <class EachRow>
  void make(WeightSides<W>& out, const W& w, const std::vector<Count>& total,
            EachRow each_row) const {
    if (units_->empty()) return;
    out.make(*kernel_, w, *units_, tags_, total, least_, by_class_, factor(), each_row);
  }
  template <class EachRow>
  void make_without(UnitSides& out, const UnitSides&, const W& w, const std::vector<Count>& total,
                    EachRow each_row) const {
    make(out, w, total, each_row);
  }
  template <class EachRow>
  void make_without(WeightSides<W>& out, const WeightSides<W>& all, const W& w,
                    const std::vector<Count>& total, EachRow each_unknown) const {
    out.make_without(all, *kernel_, w, *units_, tags_, total, least_, by_class_, factor(),
                     each_unknown);
  }
  auto factor() const {
    return [this](std::size_t s) { return by_class_ ? factors_->split_of(s) : 1.0; };
  }

  const Kernel* kernel_ = nullptr;
  const KernelTable* table_ = nullptr;
  const ClassFactors* factors_ = nullptr;
  Count least_{};
  bool joint_ = false;
  bool by_class_ = false;  // class factors differ
  bool unit_;              // every row counts 1
  bool suits_ = false;     // the rows' classes and the criterion are suitable
  ClassTags tags_;
  std::shared_ptr<RowUnits> units_;
  UnitSides unit_sides_;
  WeightSides<W> weight_sides_;
};

#endif

}  // namespace tectree
