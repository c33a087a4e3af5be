// All cuts of one sorted column for classes, the inner loop of a classification tree.
#pragma once

#include <cmath>
#include <type_traits>
#include <vector>

#include "../../data/arena.hpp"
#include "../../tally/weights.hpp"
#include "../choose/column_result.hpp"
#include "class_cut.hpp"

namespace tectree {

// The sizes of both sides of a moving cut, which min_bucket bounds: the cut's counts or, if rows
// have their own sizes, sums of these.
template <class W>
class SideSizes {
 public:
  // `all`: of all rows; read only if rows have their own sizes.
  SideSizes(const W& w, double all) : w_(w), right_(all) {}

  void move(std::size_t row) {
    if (!w_.sized()) return;
    const double size = w_.size(row);
    left_ += size;
    right_ -= size;
  }
  template <class Cut>
  auto left(const Cut& cut) const {
    if constexpr (W::whole) {
      return cut.n_l;
    } else {
      return w_.sized() ? left_ : cut.n_l;
    }
  }
  template <class Cut>
  auto right(const Cut& cut) const {
    if constexpr (W::whole) {
      return cut.n_r;
    } else {
      return w_.sized() ? right_ : cut.n_r;
    }
  }

 private:
  W w_;
  double left_ = 0.0, right_;
};

// A sorted column as its cuts are scanned, of which the first `known` entries have a value.
template <class Index, class W>
struct ClassColumn {
  const Entry<Index>* entries;
  std::uint32_t known;
  const std::uint16_t* label;  // by row
  W weights;
  const std::vector<typename W::Count>& total;  // by class
  typename W::Count least;                      // on a side
  double size;         // of all rows; read only if rows have their own sizes
  bool phi_decreases;  // see ClassCut
};

// use(at, cut), in order, with the first `at` entries on the left, wherever both sides are large
// enough; the values on both sides of the cut may be equal.
template <class Index, class W, bool unit, class Use>
void each_place(const ClassColumn<Index, W>& column, ClassCut<W, unit> cut, Use use) {
  SideSizes<W> sizes(column.weights, column.size);
  for (std::uint32_t at = 1; at < column.known; ++at) {
    const Index row = column.entries[at - 1].row;
    cut.move(column.label[row], column.weights.of(row));
    sizes.move(row);
    if (sizes.left(cut) < column.least) continue;
    if (sizes.right(cut) < column.least) break;
    cut.settle();
    use(at, cut);
  }
}
template <class Index, class W, class Use>
void each_place(const ClassColumn<Index, W>& column,
                std::vector<BothSides<typename W::Count>>& sides, Use use) {
  const auto visit = [&](auto unit) {
    each_place(column,
               ClassCut<W, decltype(unit)::value>(column.weights, column.total.data(),
                                                  column.total.size(), sides, column.phi_decreases),
               use);
  };
  if constexpr (W::whole) {
    if (column.weights.unit()) return visit(std::true_type());
  }
  visit(std::false_type());
}

// Offers every admissible cut that may be the best and reach the floor. Proxies rule out most of
// them; whether the values on both sides differ is checked for few.
template <Form form, class Index, class W>
void scan_cuts(const ClassColumn<Index, W>& column, const CutValue& value, double floor,
               std::vector<BothSides<typename W::Count>>& sides, Contenders& out) {
  const Entry<Index>* e = column.entries;
  double bar = value.bar(floor);
  each_place(column, sides, [&](std::uint32_t at, const auto& cut) TECTREE_ALWAYS {
    if (form != Form::ratio && cut.template proxy<form>() < bar) return;
    if (e[at - 1].rank == e[at].rank) return;
    const CutValue::Estimate found = cut.template estimate<form>(value);
    if (found.high < floor) return;
    out.offer(at, found.low, found.high);
    floor = std::fmax(floor, out.floor());
    bar = value.bar(floor);
  });
}

}  // namespace tectree
