// A statistic of rows that the core does not have: this file is all that it needs to grow trees.
#include <tectree/grow/make_sorted_search.hpp>

#include "check.h"
#include "grow/common.h"

namespace own_tally {

// Asymmetric squares: those of numbers above the centre, the expectile, count 2 tau, those of the
// others 2 (1 - tau). With tau = 1/2 they are least squares.
struct Expectile {
  const tectree::Numbers* numbers;
  double tau;

  double weight(std::size_t row, double centre) const {
    return 2 * (numbers->y[row] > centre ? tau : 1 - tau);
  }
  // Of rows with these weights.
  double centre(const std::vector<double>& w) const {
    double here = 0.0;
    for (int step = 0; step < 60; ++step) {
      double sum = 0.0, n = 0.0;
      for (std::size_t i = 0; i < w.size(); ++i) {
        sum += w[i] * weight(i, here) * numbers->y[i];
        n += w[i] * weight(i, here);
      }
      here = sum / n;
    }
    return here;
  }
  double loss(const std::vector<double>& w) const {
    const double e = centre(w);
    double sum = 0.0;
    for (std::size_t i = 0; i < w.size(); ++i)
      sum += w[i] * weight(i, e) * (numbers->y[i] - e) * (numbers->y[i] - e);
    return sum;
  }
};

// A group's tally is the weight of each row of the search, 0 if it is not in the group.
class ExpectileExact {
 public:
  ExpectileExact(Expectile of, double share) : of_(of), share_(share) { start(); }

  void start() {
    all_.assign(of_.numbers->y.size(), 0.0);
    loss_ = n_ = 0.0;
  }
  void add(const double* w, double n) {
    loss_ += of_.loss({w, w + all_.size()});
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i] += w[i];
    n_ += n;
  }
  tectree::Measures measures() const {
    const double gain = share_ * (of_.loss(all_) - loss_) / n_;
    return {gain, gain, gain};
  }
  static double rest(double all, double part) { return all - part; }
  double cost(const std::vector<double>& w, double) const { return of_.loss(w); }
  static tectree::GroupDivisions groupings(const tectree::Groups&) {
    return {tectree::DivisionKind::groupings, {}, true};
  }

 private:
  Expectile of_;
  double share_, loss_ = 0.0, n_ = 0.0;
  std::vector<double> all_;
};

template <class Index>
class ExpectileStat : public tectree::NumberStat<Index> {
  using Base = tectree::NumberStat<Index>;
  using Base::numbers_;
  using Column = tectree::NodeColumn<Index>;
  using Range = tectree::Range;

 public:
  struct Scratch {};

  ExpectileStat(std::shared_ptr<const tectree::NumberProblem> problem, tectree::Numbers numbers,
                double tau)
      : Base(std::move(problem), std::move(numbers)), of_{numbers_.get(), tau} {}

  tectree::NodeFacts describe(const tectree::Arena<Index>& arena, const Range& node, double*) {
    std::vector<double> w(numbers_->y.size(), 0.0);
    tectree::NodeFacts facts;
    facts.n = node.size();
    facts.pure = true;
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const Index row = arena.rows[i];
      facts.weight += w[row] = numbers_->w(row);
      facts.pure = facts.pure && numbers_->y[row] == numbers_->y[arena.rows[node.begin]];
    }
    facts.yval = of_.centre(w);
    facts.impurity = facts.pure ? 0.0 : of_.loss(w) / facts.weight;
    return facts;
  }
  void begin(const tectree::Arena<Index>& arena, const Range& node) {
    const tectree::NodeFacts facts = describe(arena, node, nullptr);
    Base::node_ = {facts.weight, facts.impurity};
  }
  template <class To>
  auto shrunk(const tectree::Arena<Index>& from, const tectree::Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    return ExpectileStat<To>(Base::problem_, numbers_->of_rows(from.rows, node.begin, to.n),
                             of_.tau);
  }
  template <class Small>
  auto with_weights(const tectree::Taken<Index>& some) const {
    return ExpectileStat<Small>(Base::problem_, numbers_->with_weights(some), of_.tau);
  }

  int width() const { return static_cast<int>(numbers_->y.size()); }
  double add_rows(double* tally, const tectree::Entry<Index>* e,
                  const tectree::Entry<Index>* last) const {
    for (const auto* i = e; i < last; ++i) tally[i->row] = numbers_->w(i->row);
    return this->weigh(e, last);
  }
  tectree::TallyWorth<ExpectileExact> worth(const Column&, const tectree::Groups& groups, Scratch&,
                                            tectree::ColumnResult& result) const {
    result.impurity = Base::node_.impurity;
    return {this->control(), groups, {of_, groups.unknown.share}, Base::node_.impurity};
  }

  // Columns are searched by groups.
  static constexpr bool scans() { return false; }
  void scan(const Column&, Scratch&, tectree::ColumnResult&) const {}
  template <class Cuts>
  void score(const Column&, const Cuts&, Scratch&, tectree::BestOf&) const {}

 private:
  Expectile of_;
};

struct Grown {
  tectree::Team team{1};
  tectree::Problem problem;
  tectree::NumberSetup setup;
  Expectile of;
  std::unique_ptr<tectree::NodeSearch> search;

  Grown(const Table& table, const Setting& setting, double tau)
      : problem(support::problem_of(table, setting)),
        setup(tectree::set_up_numbers(problem, team)),
        of{&setup.numbers, tau} {
    auto rows = tectree::sorted_rows<std::uint16_t>(problem, nullptr, team);
    tectree::SortedTask task(ExpectileStat<std::uint16_t>(setup.shared, setup.numbers, tau));
    search =
        tectree::make_sorted(problem.frame, problem.sample, std::move(rows), std::move(task), 1);
  }
  tectree::Tree tree(const Setting& setting) {
    return tectree::grow_from(std::move(search), problem, support::stop_of(setting),
                              tectree::missing_policy("majority"), team, problem.pass_on_at);
  }
  // The gain of a cut, from the definition.
  double gain(const tectree::Column& column, double cut) const {
    const std::size_t n = problem.sample.size;
    std::vector<double> all(n), left(n, 0.0), right(n, 0.0);
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += all[i] = setup.numbers.w(i);
      (column.value(problem.sample.row(i)) <= cut ? left : right)[i] = all[i];
    }
    return (of.loss(all) - of.loss(left) - of.loss(right)) / sum;
  }
};

}  // namespace own_tally

TEST(half_and_half_the_tree_is_that_of_least_squares) {
  Random random(61);
  for (int i = 0; i < 40; ++i) {
    const Table table =
        random_table(static_cast<std::size_t>(random.between(2, 40)), 0, weights_of(i), random);
    Setting setting = of_criterion("l2");
    setting.control.nominal = static_cast<Nominal>(random.below(3));
    setting.control.intervals = random.chance(0.2) ? 3 : 2;
    setting.control.min_bucket = random.between(1, 4);
    const std::string said = oracle::Comparison(own_tally::Grown(table, setting, 0.5).tree(setting),
                                                oracle::Growth({table, setting}).grow(), 1e-9)
                                 .said();
    CHECK(said.empty());
    if (!said.empty()) std::printf("table %d: %s\n", i, said.c_str());
  }
}

TEST(the_best_cut_is_the_best_by_asymmetric_squares) {
  Random random(62);
  int found = 0;
  for (int i = 0; i < 60; ++i) {
    const Table table =
        random_table(static_cast<std::size_t>(random.between(5, 40)), 0, weights_of(i), random);
    Setting setting = of_criterion("l2");
    setting.control.nominal = Nominal::ordered;
    own_tally::Grown grown(table, setting, random.chance(0.5) ? 0.9 : 0.2);
    double best = 0.0;
    bool complete = true;
    for (const tectree::Column& column : grown.problem.frame.columns) {
      for (std::size_t r = 0; r < grown.problem.sample.size; ++r) {
        const double cut = column.value(grown.problem.sample.row(r));
        complete = complete && !std::isnan(cut);
        const double gain = grown.gain(column, cut);
        if (!std::isnan(gain)) best = std::max(best, gain);
      }
    }
    if (!complete) continue;
    tectree::Node root = grown.search->root();
    std::vector<double> share(1);
    grown.search->describe(root, share.data());
    const tectree::Winner* winner = grown.search->best(root, grown.team);
    if (!winner) continue;
    ++found;
    CHECK_NEAR(winner->gain, best, 1e-9 * (1 + best));
  }
  CHECK(found > 10);
}
