// The cuts of a column from the lowest up, each better than the previous by a margin: against every
// cut measured from its counts.
#include "check.h"

#include <tectree/search/c45/c45_rules.hpp>

#include "search/simd/simd_data.h"

using namespace tectree;
using support::Random;
using support::Scanned;

namespace {

struct Case {
  std::string criterion;
  double q;
};
const std::vector<Case> cases = {{"gain_ratio", 1}, {"gini", 2},          {"tsallis", 0.3},
                                 {"tsallis", 3.5},  {"tsallis", 50},      {"tsallis_mutual", 0.5},
                                 {"beta", 1.5},     {"tsallis_ratio", 1}, {"tsallis_ratio", 2.5}};

// Values of the entries: their ranks, some of which share a value.
double value_at(const Scanned& c, std::uint32_t i, bool close) {
  const double rank = c.entries[i].rank;
  return close ? std::floor(rank / 3) + 4e-6 * std::fmod(rank, 3.0) : rank;
}

c45::Best naive(const Scanned& c, const Criterion& criterion, double least, bool close,
                double share, double unknown) {
  c45::Best best;
  std::vector<double> left(static_cast<std::size_t>(c.k), 0.0);
  double n_l = 0;
  for (std::uint32_t i = 0; i + 1 < c.size(); ++i) {
    left[c.label[i]] += c.weight[i];
    n_l += c.weight[i];
    if (!(value_at(c, i, close) + 1e-5 < value_at(c, i + 1, close))) continue;
    std::vector<double> right(left.size(), 0.0);
    double n_r = 0;
    for (std::uint32_t j = i + 1; j < c.size(); ++j) {
      right[c.label[j]] += c.weight[j];
      n_r += c.weight[j];
    }
    if (n_l < least - 1e-6 || n_r < least - 1e-6) continue;
    Partition p;
    p.start(c.k);
    p.add(left.data(), n_l);
    p.add(right.data(), n_r);
    p.share = share;
    p.unknown = unknown;
    const double value = criterion.measure(p).cut;
    ++best.tried;
    if (value - best.cut > 1e-6) {
      best.cut = value;
      best.at = i + 1;
    }
  }
  return best;
}

UnknownWeight unknown_rows(double known, double weight) {
  return {SearchControl::Unknown::grouped, known == weight, known, weight};
}

bool same(const c45::Best& a, const c45::Best& b) {
  return a.at == b.at && a.tried == b.tried && check::near(a.cut, b.cut, 1e-10);
}

std::size_t by_simd = 0;

// Eight cuts at a time find the same as one after another.
template <Form form, class Cuts, class Count>
void check_simd(const Scanned& c, const ClassTags& tags, const typename Cuts::Sides& sides,
                const CutValue& value, const Criterion& criterion, Count least, bool close,
                const c45::Best& expected) {
  const support::SmallEntries entries = support::tagged(c, tags);
  const auto apart = [&](const Entry<std::uint16_t>& a, const Entry<std::uint16_t>& b) {
    return c45::apart(value_at(c, a.row, close), value_at(c, b.row, close));
  };
  SimdScan<Cuts> scan;
  scan.template start<form>(sides);
  CHECK(same(c45::scan_by_simd<form>(scan, entries.data(), value, criterion.unit(), least, apart),
             expected));
  ++by_simd;
}

template <Form form, class W>
void check_simd(const Scanned& c, const W& w, const KernelTable& table, const CutValue& value,
                const Criterion& criterion, double least, bool close, const c45::Best& expected) {
  if (form == Form::ratio || !has_simd()) return;
  const Kernel& kernel = criterion.kernel();
  const auto total = c.total<typename W::Count>();
  const ClassTags tags(c.label, total.size());
  const auto count = c45::least_side_count<W>(least);
  if constexpr (W::whole) {
    if (w.unit()) {
      if (table.single.empty()) return;
      UnitSides sides;
      const bool joint = form == Form::power || kernel.q() == 1.0;
      sides.make(table, total, tags, least_count<W>(least), joint);
      return check_simd<form, UnitCuts>(c, tags, sides, value, criterion, count, close, expected);
    }
  }
  const RowUnits units(c.weight);
  if (units.empty() || !WeightCuts<W>::suits(kernel)) return;
  const WeightSides<W> sides = support::weight_sides(c, kernel, w, units, tags, least);
  check_simd<form, WeightCuts<W>>(c, tags, sides, value, criterion, count, close, expected);
}

template <Form form>
c45::Best scanned(const Scanned& c, const Criterion& criterion, int weights, double least,
                  bool close, double weight) {
  const std::vector<double> total = c.total<double>();
  const double n = c.total_weight();
  const CutValue value(criterion, criterion.impurity(total.data(), c.k, n) / criterion.unit(), n,
                       c.size(), weights < 2, 0.0, unknown_rows(n, weight));
  const Kernel& kernel = criterion.kernel();
  Team team(1);
  const KernelTable table(kernel, static_cast<std::size_t>(weight) + 1, team);
  const auto apart = [&](const Entry<std::uint32_t>& a, const Entry<std::uint32_t>& b) {
    return c45::apart(value_at(c, a.row, close), value_at(c, b.row, close));
  };
  const auto any_weight = [&](auto w) {
    using W = decltype(w);
    std::vector<BothSides<typename W::Count>> sides;
    const auto counts = c.total<typename W::Count>();
    const ClassColumn<std::uint32_t, W> column{
        c.entries.data(), c.size(), c.label.data(), w, counts, c45::least_side_count<W>(least), 0.0,
        kernel.q() <= 0};
    const c45::Best best = c45::scan<form>(column, value, criterion.unit(), apart, sides);
    check_simd<form>(c, w, table, value, criterion, least, close, best);
    return best;
  };
  if (weights < 2) {
    WholeWeight w{};
    w.table = &table;
    if (weights == 1) w.weight = c.weight.data();
    return any_weight(w);
  }
  RealWeight w{};
  w.kernel = &kernel;
  w.weight = c.weight.data();
  w.half_least = *std::min_element(c.weight.begin(), c.weight.end()) / 2;
  return any_weight(w);
}

void check_all(int weights) {
  Random random(static_cast<std::uint64_t>(weights) + 11);
  for (const Case& one : cases) {
    for (std::uint32_t n : {2u, 3u, 31u, 33u, 66u, 300u}) {
      for (int shape : {0, 1, 2}) {
        const Scanned c = support::random_column(n, random.between(2, 5), random.below(7), weights,
                                                 shape, random);
        const double known = c.total_weight();
        double smallest = 1;
        for (double w : c.weight) smallest = std::min(smallest, w);
        for (double unknown : {0.0, 5.0}) {
          const double weight = known + unknown;
          const auto criterion = make_criterion(one.criterion, one.q, weight, smallest);
          for (double least : {1.0, 2.1, 25.0}) {
            for (bool close : {false, true}) {
              const c45::Best expected =
                  naive(c, *criterion, least, close, known / weight, unknown);
              c45::Best found;
              with_form(criterion->form(), [&](auto form) {
                found =
                    scanned<decltype(form)::value>(c, *criterion, weights, least, close, weight);
              });
              CHECK(same(found, expected));
            }
          }
        }
      }
    }
  }
}

}  // namespace

TEST(rows_that_count_one) {
  by_simd = 0;
  check_all(0);
  CHECK(by_simd > 400 || !has_simd());
}
TEST(whole_weights) {
  by_simd = 0;
  check_all(1);
  CHECK(by_simd > 400 || !has_simd());
}
TEST(fractional_weights) {
  by_simd = 0;
  check_all(2);
  CHECK(by_simd > 400 || !has_simd());
}

// One class on the left, the other on the right: every cut of the first half is better than the
// previous one.
TEST(the_best_so_far_is_what_counts) {
  Scanned c;
  for (std::uint32_t i = 0; i < 100; ++i) {
    c.entries.push_back({i, i});
    c.label.push_back(i < 50 ? 0 : 1);
    c.weight.push_back(1);
  }
  const auto criterion = make_criterion("gain_ratio", 1, 100, 1);
  const c45::Best best = scanned<Form::linear>(c, *criterion, 0, 1.0, false, 100);
  CHECK(best.at == 50 && best.tried == 99);
  CHECK_NEAR(best.cut, 1.0, 1e-12);
  // Two cuts with the same gain: the first wins.
  for (std::uint32_t i = 0; i < 100; ++i) c.label[i] = i < 25 || i >= 75;
  CHECK(scanned<Form::linear>(c, *criterion, 0, 1.0, false, 100).at == 25);
  CHECK(scanned<Form::linear>(c, *criterion, 0, 51.0, false, 100).tried == 0);
}
