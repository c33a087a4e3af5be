// What other sources and other growers build upon: counts that do not come from rows in memory, and
// codes made once for several responses.
#pragma once

#include "grow/parts.h"
#include "grow/table.h"
#include "grow/table_source.h"

namespace seams {

using support::Random;
using support::Table;

// A tree without what tells rows from counts of rows.
bool same_tree(const tectree::Tree& a, const tectree::Tree& b) {
  return a.size() == b.size() && a.kind == b.kind && a.variable == b.variable && a.n == b.n &&
         a.weight == b.weight && a.breaks == b.breaks && a.level == b.level &&
         a.level_child == b.level_child && a.child == b.child && a.yval == b.yval &&
         a.impurity == b.impurity && a.gain == b.gain && a.score == b.score &&
         a.default_child == b.default_child;
}

// Records of few values, some of which are missing; how often each occurs.
Table records(int classes, bool missing, Random& random) {
  constexpr int n = 400;
  Table table;
  table.n_classes = classes;
  const auto values = [&](int levels, double first) {
    std::vector<double> x;
    for (int i = 0; i < n; ++i)
      x.push_back(missing && random.chance(0.1) ? std::nan("") : first + random.below(levels));
    return x;
  };
  table.add_numbers(values(12, -3));
  table.add_numbers(values(40, 0));
  table.add(tectree::Kind::nominal, 4, values(4, 1));
  table.add(tectree::Kind::ordered, 6, values(6, 1));
  table.add(tectree::Kind::nominal, 9, values(9, 1));
  for (int i = 0; i < n; ++i) {
    const double x = table.x[0][i] + table.x[2][i];
    table.y.push_back(std::isnan(x) || random.chance(0.3) ? random.between(1, classes)
                                                          : 1 + static_cast<int>(x + 3) % classes);
    table.weight.push_back(random.between(1, 30));
  }
  return table;
}

// Every record as often as it occurs.
Table rows_of(const Table& records) {
  Table rows;
  rows.n_classes = records.n_classes;
  for (std::size_t c = 0; c < records.x.size(); ++c) {
    std::vector<double> x;
    for (std::size_t i = 0; i < records.rows(); ++i)
      x.insert(x.end(), static_cast<std::size_t>(records.weight[i]), records.x[c][i]);
    rows.add(records.kind[c], records.n_levels[c], x);
  }
  for (std::size_t i = 0; i < records.rows(); ++i)
    rows.y.insert(rows.y.end(), static_cast<std::size_t>(records.weight[i]), records.y[i]);
  return rows;
}

}  // namespace seams

TEST(a_table_of_counts_grows_the_tree_of_its_rows) {
  support::Random random(11);
  for (const char* criterion : {"tsallis", "gini", "gain_ratio", "shannon"}) {
    for (int classes : {2, 3, 9}) {
      for (const auto nominal :
           {tectree::SearchControl::Nominal::binary, tectree::SearchControl::Nominal::multiway}) {
        const support::Table table = seams::records(classes, random.chance(0.5), random),
                             rows = seams::rows_of(table);
        support::Setting setting;
        setting.criterion = criterion;
        setting.parameter = setting.criterion == "tsallis" ? 1.5 : 1.0;
        setting.control.nominal = nominal;
        setting.control.min_bucket = random.between(1, 40);
        const tectree::StopRule stop = support::stop_of(setting);
        tectree::Team team(1);
        const tectree::Tree expected = tectree::grow_tree(
            support::problem_of(rows, setting), stop, tectree::missing_policy("majority"), team);
        const tectree::Tree found =
            support::grown_from_counts(support::problem_of(table, setting), stop, "majority");
        CHECK(expected.size() > 10 && seams::same_tree(found, expected));
      }
    }
  }
}

TEST(responses_share_the_codes_of_their_columns) {
  support::Random random(12);
  support::Table table = seams::records(3, true, random);
  table.weight.clear();
  std::vector<double> many;
  for (std::size_t i = 0; i < table.rows(); ++i) many.push_back(random.uniform());
  table.add_numbers(many);
  support::Table numbers = table;
  numbers.n_classes = 0;
  for (std::size_t i = 0; i < table.rows(); ++i)
    numbers.number.push_back(table.y[i] + random.uniform());
  support::Table other = table;
  for (int& y : other.y) y = 1 + (y + random.below(2)) % 3;
  const auto problem = [&](const support::Table& of, const char* criterion) {
    support::Setting setting;
    setting.criterion = criterion;
    tectree::Problem p = support::problem_of(of, setting);
    p.small_node = 100;
    return p;
  };
  tectree::Team team(1);
  const auto& missing = tectree::missing_policy("majority");
  const tectree::StopRule stop;
  const tectree::Problem first = problem(table, "gini");
  const auto codes =
      std::make_shared<const tectree::Codes>(make_codes(first.frame, first.sample, team));
  for (tectree::Problem p : {first, problem(other, "shannon"), problem(numbers, "l2")}) {
    const tectree::Tree expected = tectree::grow_tree(p, stop, missing, team);
    p.codes = codes;
    CHECK(tectree::code_columns(p, missing, team) == codes);
    CHECK(expected.size() > 10 &&
          seams::same_tree(tectree::grow_tree(p, stop, missing, team), expected));
  }
}
