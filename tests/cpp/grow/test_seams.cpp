// Interfaces for other sources and other growers: counts that do not come from rows in memory, and
// codes made once for several responses.
#include "check.h"
#include "grow/parts.h"
#include "grow/seams.h"
#include "grow/table.h"
#include "grow/table_source.h"

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
        const tectree::Problem problem = support::problem_of(table, setting);
        const support::CountTable counts(problem);
        const tectree::Tree found = counts.grow(stop, "majority");
        CHECK(expected.size() > 10 && seams::same_tree(found, expected));
        // At most one child of a split in two is asked for.
        int inner = 0;
        for (int kind : found.kind) inner += kind != 0;
        if (nominal == tectree::SearchControl::Nominal::binary)
          CHECK(counts.asked() <= inner + 1 && counts.asked() > inner / 4);
      }
    }
  }
}

TEST(a_table_of_sums_grows_the_tree_of_its_rows) {
  support::Random random(13);
  for (int i = 0; i < 24; ++i) {
    const bool missing = i % 2 == 0, whole = i % 4 < 2;
    const double about = i % 3 == 0 ? 1e6 : 0.0;
    const support::Table table = seams::number_records(missing, whole, about, random),
                         rows = seams::rows_of(table);
    support::Setting setting;
    setting.criterion = "l2";
    setting.control.min_bucket = random.between(1, 40);
    setting.control.min_gain = random.chance(0.3) ? 0.05 : 0.0;
    setting.control.nominal = random.chance(0.3) ? tectree::SearchControl::Nominal::multiway
                                                 : tectree::SearchControl::Nominal::binary;
    setting.stop.max_leaves = random.chance(0.3) ? 9 : HUGE_VAL;
    const tectree::StopRule stop = support::stop_of(setting);
    tectree::Team team(1);
    const tectree::Tree expected = tectree::grow_tree(support::problem_of(rows, setting), stop,
                                                      tectree::missing_policy("majority"), team);
    const tectree::Problem problem = support::problem_of(table, setting);
    const tectree::Tree found = support::CountTable(problem).grow(stop, "majority", about);
    CHECK(expected.size() > 2 && seams::near_tree(found, expected));
    CHECK(found.n == expected.n);
  }
}

// Counts too large for a table of phi, and class factors, against weighted rows.
TEST(large_counts_and_factors_grow_the_tree_of_weighted_rows) {
  support::Random random(14);
  for (int i = 0; i < 12; ++i) {
    support::Table table = seams::records(3, i % 2 == 0, random);
    const double times = i % 3 == 0 ? 1e5 : 1.0;
    for (double& weight : table.weight) weight *= times;
    support::Setting setting;
    setting.criterion = i % 4 < 2 ? "gini" : "shannon";
    setting.control.min_bucket = times * random.between(1, 40);
    tectree::Problem problem = support::problem_of(table, setting);
    if (times == 1.0) {
      problem.factors.prior = {0.5, 1.25, 1.5};
      problem.factors.split = {0.75, 1.25, 1.5};
    }
    const tectree::StopRule stop = support::stop_of(setting);
    tectree::Team team(1);
    const tectree::Tree expected =
        tectree::grow_tree(problem, stop, tectree::missing_policy("majority"), team);
    const tectree::Tree found = support::CountTable(problem).grow(stop, "majority");
    CHECK(expected.size() > 10 && seams::near_tree(found, expected));
  }
}

TEST(counts_refuse_what_needs_rows) {
  support::Random random(15);
  const support::Table table = seams::records(3, true, random);
  const auto refuses = [&](const support::Setting& setting, const char* missing) {
    const tectree::Problem problem = support::problem_of(table, setting);
    try {
      support::CountTable(problem).grow(support::stop_of(setting), missing);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  support::Setting setting;
  CHECK(!refuses(setting, "majority") && !refuses(setting, "drop"));
  CHECK(refuses(setting, "fractional") && refuses(setting, "mode") &&
        refuses(setting, "surrogate"));
  setting.control.rules = tectree::SearchControl::Rules::c45;
  CHECK(refuses(setting, "majority"));
  setting.control.rules = tectree::SearchControl::Rules::exact;
  setting.control.intervals = 3;
  CHECK(refuses(setting, "majority"));
}

TEST(wrong_counts_are_refused) {
  using Cells = std::vector<tectree::ClassCell>;
  tectree::Problem problem;
  problem.frame.columns.resize(2);
  problem.response.n_classes = 2;
  problem.criterion = "gini";
  const auto codes = std::make_shared<tectree::Codes>();
  codes->push_back(tectree::exact_codes({1.0, 2.0}));
  codes->push_back(tectree::exact_codes({5.0, 7.0, 9.0}));
  const Cells good{{0, 0, 0, 4}, {0, 1, 1, 6}, {1, 0, 0, 4}, {1, 2, 1, 6}};
  tectree::Team team(1);
  const auto grows = [&](const Cells& cells) {
    const auto ask = [&](const tectree::Path& path) { return path.empty() ? cells : good; };
    try {
      return tectree::grow_from_counts(problem, codes, ask, {}, {}, team).size() == 3;
    } catch (const std::exception&) {
      return false;
    }
  };
  CHECK(grows(good));
  for (const tectree::ClassCell& wrong : {tectree::ClassCell{2, 0, 0, 4},
                                          {0, 3, 0, 4},
                                          {0, -1, 0, 4},
                                          {0, 0, 2, 4},
                                          {0, 0, -1, 4},
                                          {0, 0, 0, -4},
                                          {0, 0, 0, 4.5},
                                          {0, 0, 0, std::nan("")},
                                          {0, 0, 0, 5}}) {
    Cells cells = good;
    cells[0] = wrong;
    CHECK(!grows(cells));
  }
  CHECK(!grows({}));
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
    p.pass_on_at = 100;
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
