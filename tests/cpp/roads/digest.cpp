// Random problems and digests of their models, to compare builds (tools/checks/determinism.sh):
//
//   digest FIRST COUNT THREADS [permuted] [plain]
//
// One line per model: the seed, the model, a digest of its splits, and a digest of everything. With
// `permuted`, the rows are in another order; with `plain`, vectors are not used.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/ensembles.h"
#include "roads/generate.h"

namespace {

// FNV-1a of bytes. All NaN are alike.
class Digest {
 public:
  template <class T>
  Digest& operator<<(const std::vector<T>& values) {
    *this << values.size();
    for (const T& x : values) *this << x;
    return *this;
  }
  Digest& operator<<(double x) {
    std::uint64_t bits = 0;
    if (!std::isnan(x)) std::memcpy(&bits, &x, sizeof x);
    return *this << bits << std::isnan(x);
  }
  template <class Whole, class = std::enable_if_t<std::is_integral_v<Whole>>>
  Digest& operator<<(Whole x) {
    auto bits = static_cast<std::uint64_t>(x);
    for (int i = 0; i < 8; ++i, bits >>= 8) hash_ = (hash_ ^ (bits & 0xff)) * 0x100000001b3u;
    return *this;
  }
  std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

void print(const roads::Case& c, const char* model, const Digest& splits, const Digest& all) {
  std::printf("%" PRIu64 " %s %016" PRIx64 " %016" PRIx64 "\n", c.seed, model, splits.hash(),
              all.hash());
}

void print(const roads::Case& c, const char* model, const tectree::Tree& t) {
  Digest splits;
  splits << t.parent << t.kind << t.variable << t.child << t.default_child << t.breaks << t.level
         << t.level_child << t.exact << t.n << t.surrogates.variable << t.surrogates.cut;
  Digest all = splits;
  all << t.weight << t.yval << t.impurity << t.gain << t.score << t.share << t.surrogates.agree
      << t.surrogates.adj;
  print(c, model, splits, all);
}

void print(const roads::Case& c, const char* model, const tectree::Forest& f,
           const std::vector<double>& scores) {
  Digest splits;
  splits << f.start << f.variable << f.sides;
  for (std::size_t i = 0; i < f.variable.size(); ++i) {
    if (f.variable[i] != 0) splits << f.right[i] << f.cut[i];
  }
  Digest all = splits;
  all << f.right << f.cut << f.shares << f.weight << f.own << scores;
  print(c, model, splits, all);
}

void print_models(const roads::Case& c, const roads::Way& way) {
  print(c, "tree", roads::Posed(c, way).grow());
  roads::Way binned = way;
  binned.small = c.small;
  print(c, "binned", roads::Posed(c, binned).grow());
  if (!way.order.empty()) return;  // models that draw rows by their position
  tectree::simd_allowed = way.simd;
  const roads::Posed posed(c, binned);
  const int how = static_cast<int>(c.seed * 37 % 128);
  print(c, "forest", fuzz::grown_forest(c, posed, how, way.threads), {});
  if (c.table.n_classes == 1) return;
  tectree::ScoredRows rows;
  const auto out = fuzz::boosted(c, posed, how, way.threads, rows);
  print(c, "boosting", out.trees, rows.score);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  bool permuted = false, plain = false;
  for (int i = 4; i < argc; ++i) {
    permuted = permuted || std::string(argv[i]) == "permuted";
    plain = plain || std::string(argv[i]) == "plain";
  }
  for (auto seed = number(1); seed < number(1) + number(2); ++seed) {
    const roads::Case c = roads::random_case(seed);
    roads::Way way;
    way.threads = static_cast<int>(number(3));
    way.simd = !plain;
    for (std::size_t i = 0; permuted && i < c.rows(); ++i) way.order.push_back(i);
    support::Random(seed).shuffle(way.order);
    print_models(c, way);
  }
}
