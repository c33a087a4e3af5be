// The inner loop: the contenders always include the true best cut, whatever the drift.
#include "check.h"

#include "search/simd/simd_data.h"

using namespace tectree;
using support::Random;
using support::Scanned;
using support::SmallEntries;

namespace {

struct Case {
  std::string criterion;
  double q;
};
const std::vector<Case> cases = {
    {"tsallis", -2},         {"tsallis", 0},       {"tsallis", 0.3},
    {"tsallis", 0.7},        {"shannon", 1},       {"gini", 2},
    {"tsallis", 3.5},        {"tsallis", 50},      {"tsallis_mutual", -1},
    {"tsallis_mutual", 0.5}, {"beta", 1.5},        {"tsallis_mutual", 20},
    {"tsallis_ratio", 0.4},  {"tsallis_ratio", 1}, {"tsallis_ratio", 2},
    {"tsallis_ratio", 9}};

CutValue value_of(const Scanned& c, const Criterion& criterion, bool whole) {
  std::vector<double> total(static_cast<std::size_t>(c.k), 0.0);
  for (std::size_t i = 0; i < c.label.size(); ++i) total[c.label[i]] += c.weight[i];
  const double n = c.total_weight();
  return CutValue(criterion, criterion.impurity(total.data(), c.k, n) / criterion.unit(), n,
                  c.size(), whole, 0.0);
}

// Whether two scans find the same cuts, whose measures may differ by `most`.
bool same(Contenders& a, Contenders& b, double most) {
  const auto &x = a.settle(), &y = b.settle();
  const auto close = [&](double one, double other) {
    return one == other || std::fabs(one - other) <= most;
  };
  bool right = x.size() == y.size() && close(a.floor(), b.floor());
  for (std::size_t i = 0; i < x.size() && right; ++i)
    right = x[i].at == y[i].at && close(x[i].high, y[i].high);
  return right;
}

std::size_t places_told = 0;

// A preview sees the best of `expected`, which are all that may be the best, and reports its
// position only if it is unique, unless it does not know its minimum measure.
template <Form form, class Cuts>
void check_places(SimdScan<Cuts>& scan, const CutValue& value, Contenders& expected) {
  const auto& cuts = expected.settle();
  const auto check = [&](std::uint32_t, const CutValue::Estimate& best, std::uint32_t place) {
    if (std::is_same_v<Cuts, UnitCuts>) CHECK(cuts.empty() == (best.high == -HUGE_VAL));
    if (place == 0 || best.low == -HUGE_VAL) return;
    CHECK(cuts.size() == 1 && cuts[0].at == place);
    ++places_told;
  };
  scan.template bound_columns<form, true>(value, HUGE_VAL, check);
}

// The preview of two columns, both `entries`, includes the best of the `expected` cuts.
template <Form form, class Cuts>
void check_previews(SimdScan<Cuts>& scan, const SmallEntries& entries, const CutValue& value,
                    double width, const Contenders& expected) {
  for (std::uint32_t column : {0u, 1u}) scan.add(column, entries.data());
  std::size_t seen = 0;
  scan.template bound_columns<form, false>(
      value, HUGE_VAL, [&](std::uint32_t, const CutValue::Estimate& best, std::uint32_t) {
        ++seen;
        if (expected.empty()) return;
        CHECK(best.low <= expected.high() && best.high >= expected.floor());
        CHECK(best.low == -HUGE_VAL || best.high - best.low < width);
      });
  CHECK(seen == 2);
  // Nothing is searched after a column that reaches the requested value.
  if (expected.empty()) return;
  scan.template bound_columns<form, false>(
      value, expected.floor(),
      [&](std::uint32_t i, const CutValue::Estimate&, std::uint32_t) { CHECK(i == 0); });
}

// Eight cuts at a time, with data kept by the scan from another number of rows: the same cuts as
// `expected`, the best of them if a preview sees it.
template <Form form>
void scan_by_simd(const Scanned& c, const KernelTable& table, const CutValue& value,
                  std::uint32_t least, double floor, bool joint, Contenders& expected) {
  const auto total = c.total<std::uint32_t>();
  const ClassTags tags(c.label, total.size());
  if (!has_simd() || !tags.fit() || table.single.empty() ||
      c.size() > Entry<std::uint16_t>::most_rows)
    return;
  const SmallEntries entries = support::tagged(c, tags);
  UnitSides fewer, sides;
  fewer.make(table, {c.size() / 2}, ClassTags({0}, 1), 1, joint);
  sides.make(table, total, tags, least, joint);
  SimdScan<UnitCuts> scan;
  scan.start<form>(fewer);
  scan.start<form>(sides);
  Contenders found;
  scan.offer_cuts<form>(entries.data(), value, floor, found);
  CHECK(same(expected, found, value.drift / 16));
  check_previews<form>(scan, entries, value, 1e10 * value.drift, expected);
  if (floor == -HUGE_VAL) check_places<form>(scan, value, expected);
}

std::size_t weighed = 0;

// The same for weighted rows. If fractions are rounded to units and `least` lies between two sums
// of them, a preview may not know a minimum measure.
template <Form form, class W>
void scan_weights_by_simd(const Scanned& c, const Criterion& criterion, const W& w,
                          const CutValue& value, double least, Contenders& expected) {
  const auto total = c.total<typename W::Count>();
  const ClassTags tags(c.label, total.size());
  const RowUnits units(c.weight);
  if (form == Form::ratio || !has_simd() || !tags.fit() || units.empty() ||
      !WeightCuts<W>::suits(criterion.kernel()))
    return;
  const SmallEntries entries = support::tagged(c, tags);
  const WeightSides<W> sides = support::weight_sides(c, criterion.kernel(), w, units, tags, least);
  CHECK(sides.fit());
  SimdScan<WeightCuts<W>> scan;
  scan.template start<form>(sides);
  Contenders found;
  scan.template offer_cuts<form>(entries.data(), value, -HUGE_VAL, found);
  CHECK(support::hold_the_best(found, c, criterion, least));
  CHECK(found.empty() == expected.empty());
  check_previews<form>(scan, entries, value, 2e-3, expected);
  check_places<form>(scan, value, expected);
  ++weighed;
}

template <Form form, class W>
void scan_plainly(const Scanned& c, const Criterion& criterion, const W& w, const CutValue& value,
                  double least, double floor, Contenders& out) {
  std::vector<BothSides<typename W::Count>> sides;
  const auto total = c.total<typename W::Count>();
  const ClassColumn<std::uint32_t, W> column{
      c.entries.data(),           c.size(), c.label.data(), w, total, least_count<W>(least), 0.0,
      criterion.kernel().q() <= 0};
  scan_cuts<form>(column, value, floor, sides, out);
}

// Rows that count 1.
template <Form form>
void scan_units(const Scanned& c, const Criterion& criterion, double least, double floor,
                Contenders& out) {
  const CutValue value = value_of(c, criterion, true);
  Team team(1);
  const KernelTable table(criterion.kernel(), c.size() + 1, team);
  const double q = criterion.kernel().q();
  WholeWeight w{};
  w.table = &table;
  scan_plainly<form>(c, criterion, w, value, least, floor, out);
  if constexpr (form != Form::ratio) {
    const std::uint32_t least_side = std::max(least_count<WholeWeight>(least), 1u);
    if (form == Form::linear) scan_by_simd<form>(c, table, value, least_side, floor, false, out);
    if (q <= 0.0 || (form == Form::linear && q != 1.0)) return;
    scan_by_simd<form>(c, table, value, least_side, floor, true, out);
  }
}

template <Form form>
void scan(const Scanned& c, const Criterion& criterion, int weights, double least,
          Contenders& out) {
  const CutValue value = value_of(c, criterion, weights < 2);
  const Kernel& kernel = criterion.kernel();
  Team team(1);
  const KernelTable table(kernel, static_cast<std::size_t>(c.total_weight()) + 1, team);
  if (weights == 0) {
    scan_units<form>(c, criterion, least, -HUGE_VAL, out);
  } else if (weights == 1) {
    WholeWeight w{};
    w.table = &table;
    w.weight = c.weight.data();
    scan_plainly<form>(c, criterion, w, value, least, -HUGE_VAL, out);
    scan_weights_by_simd<form>(c, criterion, w, value, least, out);
  } else {
    RealWeight w{};
    w.kernel = &kernel;
    w.weight = c.weight.data();
    w.half_least = *std::min_element(c.weight.begin(), c.weight.end()) / 2;
    scan_plainly<form>(c, criterion, w, value, least, -HUGE_VAL, out);
    scan_weights_by_simd<form>(c, criterion, w, value, least, out);
  }
}

void scan(const Scanned& c, const Criterion& criterion, int weights, double least,
          Contenders& out) {
  switch (criterion.form()) {
    case Form::linear:
      return scan<Form::linear>(c, criterion, weights, least, out);
    case Form::power:
      return scan<Form::power>(c, criterion, weights, least, out);
    case Form::ratio:
      return scan<Form::ratio>(c, criterion, weights, least, out);
  }
}

bool holds(const Scanned& c, const Criterion& criterion, int weights, double least) {
  Contenders contenders;
  scan(c, criterion, weights, least, contenders);
  return support::hold_the_best(contenders, c, criterion, least);
}

void check_all(int weights, const std::vector<std::uint32_t>& sizes) {
  Random random(static_cast<std::uint64_t>(weights) + 1);
  for (const Case& one : cases) {
    for (std::uint32_t n : sizes) {
      for (int shape : {0, 1, 2}) {
        const Scanned c = support::random_column(
            n, random.chance(0.2) ? random.between(6, 40) : random.between(2, 5), random.below(7),
            weights, shape, random);
        double smallest = 1;
        for (double w : c.weight) smallest = std::min(smallest, w);
        const auto criterion = make_criterion(one.criterion, one.q, c.total_weight(), smallest);
        for (double least : {1.0, 3.0, 8.0, 16.0, 20.5}) {
          const bool right = holds(c, *criterion, weights, least);
          if (!right)
            std::printf("%s %g, n %u, shape %d, least %g\n", one.criterion.c_str(), one.q, n, shape,
                        least);
          CHECK(right);
        }
      }
    }
  }
}

}  // namespace

TEST(rows_that_count_one) {
  check_all(0, {2, 3, 31, 32, 33, 34, 65, 200, 700});
  CHECK(places_told > 0 || !has_simd());
}
TEST(classes_have_tags_while_those_that_occur_are_few) {
  const ClassTags few({1, 1, 0}, 16), many({40, 7, 40, 99}, 100);
  for (std::size_t s = 0; s < 16; ++s) CHECK(few.fit() && few.of(s) == s);
  CHECK(many.fit() && many.of(40) == 0 && many.of(7) == 1 && many.of(99) == 2);
  std::vector<std::uint16_t> all(17);
  for (std::uint16_t s = 0; s < 17; ++s) all[s] = s;
  CHECK(!ClassTags(all, 17).fit());
  all.pop_back();
  CHECK(ClassTags(all, 17).fit());
}
TEST(whole_weights) {
  check_all(1, {2, 3, 33, 100, 400});
  CHECK(weighed > 400 || !has_simd());
}
TEST(fractional_weights) {
  weighed = 0;
  check_all(2, {2, 3, 33, 100, 300});
  CHECK(weighed > 400 || !has_simd());
}

TEST(every_admissible_cut_counts_and_no_other) {
  // Two ranks, 3 and 5 rows: one cut, admissible up to a bucket of 3.
  Scanned c;
  for (std::uint32_t i = 0; i < 8; ++i) {
    c.entries.push_back({i < 3 ? 0u : 1u, i});
    c.label.push_back(i % 2);
    c.weight.push_back(1);
  }
  const auto gini = make_criterion("gini", 0, 8, 1);
  for (int weights : {0, 1, 2}) {
    for (double least : {1.0, 3.0, 3.5, 4.0, 9.0, 1e9}) {
      Contenders contenders;
      scan(c, *gini, weights, least, contenders);
      CHECK(contenders.settle().size() == (least <= 3 ? 1u : 0u));
    }
  }
}

TEST(a_long_column_drifts_within_its_bounds) {
  Random random(9);
  for (const Case& one :
       {Case{"shannon", 1}, Case{"tsallis", 0.3}, Case{"tsallis", 7}, Case{"tsallis_ratio", 1}}) {
    for (int shape : {0, 1}) {
      for (std::uint32_t n : {6000u, 16384u}) {
        const Scanned c = support::random_column(n, 3, 1, 0, shape, random);
        const auto criterion = make_criterion(one.criterion, one.q, c.total_weight(), 1);
        CHECK(holds(c, *criterion, 0, 1));
      }
    }
  }
}

// A bucket beyond half the 32-bit numbers: no cut is admissible, no row beyond the column's is
// read.
TEST(no_bucket_is_too_large_for_the_scan) {
  Random random(1);
  const Scanned c = support::random_column(100, 2, 0, 0, 0, random);
  const auto gini = make_criterion("gini", 0, 100, 1);
  for (double bucket : {51.0, 1e9, 2147483647.0, 2147483648.0, 2147483648.0 + 20, 3e9, 4294967290.0,
                        1e10, HUGE_VAL}) {
    Contenders contenders;
    scan_units<Form::linear>(c, *gini, bucket, -HUGE_VAL, contenders);
    CHECK(contenders.empty());
  }
}

// A value that another column is sure to reach excludes the cuts that do not reach it, and no
// others.
TEST(a_floor_keeps_the_cuts_that_reach_it) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const Scanned c = support::random_column(random.between(2, 200), random.between(2, 5),
                                             random.below(7), 0, random.below(3), random);
    const auto gini = make_criterion("gini", 0, c.total_weight(), 1);
    Contenders all;
    scan_units<Form::linear>(c, *gini, 1, -HUGE_VAL, all);
    const double best = all.floor();
    if (all.empty()) continue;
    for (double off : {-0.1, -1e-9, 0.0}) {
      Contenders kept;
      scan_units<Form::linear>(c, *gini, 1, best + off, kept);
      CHECK(same(all, kept, 0.0));
    }
    Contenders none;
    scan_units<Form::linear>(c, *gini, 1, best + 1e-6, none);
    CHECK(none.empty());
  }
}

// Below q = 0 the phi of the first row of a class may exceed all later ones by far.
TEST(sums_of_a_decreasing_phi_keep_no_rounding_of_what_has_left_them) {
  const double q = -2.0;
  const Kernel kernel(q, 1e4, 1e-6);
  const std::vector<double> weight = {1e-6, 1e-6, 10.0, 20.0, 5.0, 1.0, 2.0};
  const std::vector<std::size_t> label = {0, 1, 0, 1, 0, 1, 0};
  RealWeight weights;
  weights.kernel = &kernel;
  weights.weight = weight.data();
  std::vector<double> total(2), left(2), right(2);
  for (std::size_t i = 0; i < weight.size(); ++i) total[label[i]] += weight[i];
  std::vector<BothSides<double>> sides;
  ClassCut<RealWeight> cut(weights, total.data(), 2, sides, true);
  for (std::size_t i = 0; i + 3 < weight.size(); ++i) {
    cut.move(label[i], weight[i]);
    cut.settle();
    left[label[i]] += weight[i];
    for (std::size_t s : {0, 1}) right[s] = total[s] - left[s];
    double expected = 0.0;
    for (const auto& side : {left, right}) {
      for (double count : side) expected += count > 0.0 ? kernel.phi(count) : 0.0;
      expected -= kernel.phi(side[0] + side[1]);
    }
    CHECK_NEAR(cut.proxy<Form::power>(), expected, 1e-9 * std::fabs(expected));
  }
}
