// The scan of a column of codes: for every weight and number of classes the cuts that truly tie
// with the best are never lost among the contenders, and nothing of a node is left for the next.
#include "check.h"

#include <tectree/search/scan/code_scan.hpp>

#include "search/scan_data.h"

using namespace tectree;
using support::Random;
using support::Scanned;

namespace {

struct Case {
  std::string criterion;
  double q;
};
const std::vector<Case> cases = {
    {"gini", 2},          {"tsallis", -2},         {"tsallis", 0},         {"tsallis", 0.3},
    {"shannon", 1},       {"tsallis", 3.5},        {"tsallis", 50},        {"tsallis_mutual", -1},
    {"beta", 1.5},        {"tsallis_mutual", 0.5}, {"tsallis_mutual", 20}, {"tsallis_ratio", 0.4},
    {"tsallis_ratio", 1}, {"tsallis_ratio", 2},    {"tsallis_ratio", 9}};

// All of one class but one row; classes at random; the second half of an even number of rows
// mirrors the first, so that cuts tie in pairs.
enum class Labels { one_apart, random, mirrored };

// Rows that count 1, whole numbers, fractions.
enum class Weights { unit, whole, real };

// `codes`: how many there may be; the last one occurs.
Scanned random_codes(std::uint32_t n, int k, int codes, Labels labels, Weights weights,
                     Random& random) {
  std::vector<std::uint32_t> code(n);
  for (auto& x : code) x = static_cast<std::uint32_t>(random.below(codes));
  code.back() = static_cast<std::uint32_t>(codes - 1);
  std::sort(code.begin(), code.end());
  Scanned c;
  c.k = k;
  for (std::uint32_t i = 0; i < n; ++i) {
    const int apart = i == n / 2 ? k - 1 : 0;
    c.entries.push_back({code[i], i});
    c.label.push_back(
        static_cast<std::uint16_t>(labels == Labels::one_apart ? apart : random.below(k)));
    c.weight.push_back(weights == Weights::unit    ? 1
                       : weights == Weights::whole ? random.between(1, 9)
                                                   : random.between(1, 90) / 16.0 + 0.1);
  }
  if (labels != Labels::mirrored) return c;
  for (std::uint32_t i = 0; i < n / 2; ++i) {
    c.entries[i].rank /= 2;
    c.entries[n - 1 - i].rank = static_cast<std::uint32_t>(codes - 1) - c.entries[i].rank;
    c.label[n - 1 - i] = c.label[i];
    c.weight[n - 1 - i] = c.weight[i];
  }
  return c;
}

// The column as a node of some rows of an arena, in any order; `missing` rows more have no value.
struct InArena {
  std::vector<std::uint8_t> code;
  std::vector<std::uint16_t> row, label, labels;
  std::vector<double> weight;
  std::size_t codes;

  InArena(const Scanned& c, int n_codes, int missing, Random& random)
      : codes(static_cast<std::size_t>(n_codes)) {
    const int n = static_cast<int>(c.size()) + missing, spare = random.below(20);
    for (int i = 0; i < n + spare; ++i) {
      row.push_back(static_cast<std::uint16_t>(i));
      code.push_back(static_cast<std::uint8_t>(codes));
      label.push_back(static_cast<std::uint16_t>(random.below(c.k)));
      weight.push_back(3);
    }
    random.shuffle(row);
    row.resize(static_cast<std::size_t>(n));
    std::vector<std::uint32_t> from;
    for (std::uint32_t i = 0; i < c.size(); ++i) from.push_back(i);
    random.shuffle(from);
    for (std::uint32_t i = 0; i < c.size(); ++i) {
      code[row[i]] = static_cast<std::uint8_t>(c.entries[from[i]].rank);
      label[row[i]] = c.label[from[i]];
      weight[row[i]] = c.weight[from[i]];
    }
    random.shuffle(row);
    for (std::uint16_t r : row) labels.push_back(label[r]);
  }
  CodedNode<std::uint16_t> node() const {
    return {code.data(), row.data(), labels.data(), row.size()};
  }
};

template <class W>
W weight_type(const KernelTable& table, const Kernel& kernel, const PhiCurve* curve,
              const std::vector<double>& weight) {
  W w{};
  if constexpr (W::whole) {
    w.table = &table;
    const bool unit = std::all_of(weight.begin(), weight.end(), [](double x) { return x == 1.0; });
    w.weight = unit ? nullptr : weight.data();
  } else {
    w.kernel = &kernel;
    w.curve = curve;
    w.weight = weight.data();
    w.half_least = 0.05;
  }
  return w;
}

template <class W>
void check_column(CodeScan<std::uint16_t, W>& scan, const Scanned& c, const Case& one, int codes,
                  Random& random) {
  const auto criterion = make_criterion(one.criterion, one.q, c.total_weight(), 0.1);
  const Kernel& kernel = criterion->kernel();
  Team team(1);
  const KernelTable table(kernel, static_cast<std::size_t>(c.total_weight()) + 1, team);
  const bool curved = criterion->form() != Form::ratio && random.chance(0.5);
  const auto curve = curved ? PhiCurve::of(kernel, 0.1, c.total_weight()) : nullptr;
  const int missing = random.chance(0.5) ? random.below(30) : 0;
  const InArena arena(c, codes, missing, random);
  const W w = weight_type<W>(table, kernel, curve.get(), arena.weight);
  scan.count(arena.node(), arena.codes, static_cast<std::size_t>(c.k), w);
  CHECK(scan.known() == c.size());
  const bool varies = c.entries.front().rank != c.entries.back().rank;
  CHECK((scan.groups() >= 2) == varies);
  std::vector<typename W::Count> total;
  scan.known_total(total);
  std::vector<double> counts(total.begin(), total.end());
  const double n = c.total_weight();
  CutValue value(*criterion, criterion->impurity(counts.data(), c.k, n) / criterion->unit(), n,
                 c.size(), W::whole, 0.0);
  if (!W::whole && curve) value.blur(curve->error(c.k));
  for (double least : {0.0, 1.0, 3.0, 20.5, c.size() / 2.0, 3e9}) {
    Contenders contenders;
    std::vector<BothSides<typename W::Count>> sides;
    with_form(criterion->form(), [&](auto form) {
      scan.template offer_cuts<decltype(form)::value>(total, value, least_count<W>(least), sides,
                                                      kernel.q() <= 0, contenders);
    });
    const bool right = support::hold_the_best(contenders, c, *criterion, least);
    if (!right)
      std::printf("%s %g, n %u, k %d, codes %d, least %g\n", one.criterion.c_str(), one.q, c.size(),
                  c.k, codes, least);
    CHECK(right);
  }
}

struct Scans {
  CodeScan<std::uint16_t, WholeWeight> whole;  // rows that count 1 too
  CodeScan<std::uint16_t, RealWeight> real;
};

void check_column(Scans& scans, const Scanned& c, Weights weights, const Case& one, int codes,
                  Random& random) {
  if (weights != Weights::real) return check_column(scans.whole, c, one, codes, random);
  check_column(scans.real, c, one, codes, random);
}

const Weights all_weights[] = {Weights::unit, Weights::whole, Weights::real};

}  // namespace

TEST(the_best_cuts_of_a_column_are_among_the_contenders) {
  Random random(1);
  Scans scans;
  for (const Case& one : cases) {
    for (int k : {2, 3, 5, 9, 26}) {
      for (int codes : {1, 2, 7, 64, 129, 255}) {
        for (Weights weights : all_weights) {
          const auto labels = random.chance(0.8) ? Labels::random : Labels::one_apart;
          const auto n = static_cast<std::uint32_t>(random.between(2, 160));
          const Scanned c = random_codes(n, k, codes, labels, weights, random);
          check_column(scans, c, weights, one, codes, random);
        }
      }
    }
  }
}

TEST(cuts_that_tie_are_all_there) {
  Random random(2);
  Scans scans;
  for (const Case& one : cases) {
    for (int k : {2, 4, 7}) {
      for (Weights weights : all_weights) {
        const int codes = random.between(20, 255);
        const auto n = static_cast<std::uint32_t>(2 * random.between(2, 60));
        const Scanned c = random_codes(n, k, codes, Labels::mirrored, weights, random);
        check_column(scans, c, weights, one, codes, random);
      }
    }
  }
}

// Every code, one row each; and many rows of few codes.
TEST(as_many_codes_and_rows_as_there_can_be) {
  Random random(3);
  Scans scans;
  for (int k : {2, 8}) {
    Scanned c;
    c.k = k;
    for (std::uint32_t i = 0; i < Binned::most; ++i) {
      c.entries.push_back({i, i});
      c.label.push_back(static_cast<std::uint16_t>(i < 100 ? 0 : random.below(k)));
      c.weight.push_back(1);
    }
    for (const Case& one : cases) check_column(scans, c, Weights::unit, one, Binned::most, random);
    for (auto labels : {Labels::random, Labels::one_apart}) {
      const Scanned many = random_codes(16384, k, 4, labels, Weights::unit, random);
      for (const Case& one : {Case{"gini", 2}, Case{"tsallis_ratio", 2}, Case{"shannon", 1}})
        check_column(scans, many, Weights::unit, one, 4, random);
    }
  }
}

TEST(codes_are_visited_in_order_with_their_counts) {
  Random random(5);
  CodeScan<std::uint16_t, RealWeight> scan;
  for (int codes : {1, 63, 200, 255}) {
    for (std::uint32_t n : {5u, 40u, 3000u}) {
      const int k = random.between(2, 12);
      const Scanned c = random_codes(n, k, codes, Labels::random, Weights::real, random);
      const InArena arena(c, codes, random.below(9), random);
      const Kernel kernel(2.0, c.total_weight());
      const RealWeight w{&kernel, nullptr, arena.weight.data(), 0.05};
      scan.count(arena.node(), arena.codes, static_cast<std::size_t>(k), w);
      std::vector<double> expected(256 * static_cast<std::size_t>(k), 0.0), found(expected);
      std::vector<std::uint32_t> rows(256, 0);
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::size_t code = c.entries[i].rank;
        expected[code * static_cast<std::size_t>(k) + c.label[i]] += c.weight[i];
        ++rows[code];
      }
      std::vector<std::pair<std::size_t, double>> moved;
      std::size_t next = 0;
      bool right = true;
      scan.each([&](std::size_t s, double weight) { moved.emplace_back(s, weight); },
                [&](std::size_t code, std::uint32_t rows_here, double) {
                  right = right && code >= next && rows_here == rows[code] && rows_here > 0;
                  next = code + 1;
                  for (const auto& [s, weight] : moved)
                    found[code * static_cast<std::size_t>(k) + s] += weight;
                  moved.clear();
                });
      CHECK(right);
      for (std::size_t i = 0; i < found.size(); ++i) CHECK_NEAR(found[i], expected[i], 1e-9);
    }
  }
}
