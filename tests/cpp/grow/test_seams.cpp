// Codes that are made once for several responses.
#include "check.h"
#include "grow/parts.h"
#include "grow/seams.h"
#include "grow/table.h"

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
