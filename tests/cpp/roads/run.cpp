// The roads test for tools/roads.sh:
//
//   run FIRST COUNT   cases FIRST, FIRST + 1, ...
//   run --extremes FIRST COUNT   problems of extreme numbers
//   run --oracle FIRST COUNT     small problems, compared with the oracle
//   run --case SEED, run --extreme SEED, run --small SEED
//                                one of them; if it fails, the smallest failing problem, as R code
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "roads/drive.h"
#include "roads/say.h"
#include "roads/shrink.h"

namespace {

template <class Take>
int run_cases(std::uint64_t first, std::uint64_t count, Take take) {
  roads::Drive drive;
  std::size_t said = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    take(drive, seed);
    for (; said < drive.failures().size(); ++said) {
      std::printf("FAILED: %s\n", roads::text_of(drive.failures()[said]).c_str());
      std::fflush(stdout);
    }
  }
  drive.report();
  for (const std::string& road : drive.deserted()) std::printf("FAILED: %s\n", road.c_str());
  return drive.failures().empty() && drive.deserted().empty() ? 0 : 1;
}

using Wrong = std::function<std::string(const roads::Case&)>;

// In a separate process, since it may crash.
bool fails(const roads::Case& c, const Wrong& wrong) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
    alarm(60);
    _exit(wrong(c).empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

bool shrink(const roads::Case& c, const char* road, const Wrong& wrong) {
  if (!fails(c, wrong)) return false;
  constexpr int tries = 2000;
  const roads::Case least = roads::Shrink(
                                c, [&](const roads::Case& it) { return fails(it, wrong); }, tries)
                                .least();
  std::printf("\nFAILED on the road \"%s\"; shrunk to: %s\n", road, roads::in_words(least).c_str());
  std::printf("%s", roads::r_call(least).c_str());
  std::fflush(stdout);
  std::printf("%s\n", wrong(least).c_str());  // which may crash
  std::fflush(stdout);
  return true;
}

void introduce(const roads::Case& c) {
  std::printf("case %llu: %s\n", static_cast<unsigned long long>(c.seed),
              roads::in_words(c).c_str());
}

int run_case(const roads::Case& c, const std::vector<roads::Road>& roads) {
  introduce(c);
  int failed = 0;
  for (const roads::Road& road : roads) {
    failed +=
        shrink(c, road.name, [&](const roads::Case& it) { return roads::differs_on(it, road); });
  }
  std::printf("%d roads failed\n", failed);
  return failed > 0;
}

int run_extreme(std::uint64_t seed) {
  const roads::Case c = roads::ExtremeGenerator(seed).make();
  introduce(c);
  int failed = 0;
  for (const auto& [name, way] : roads::ways_of_extremes(c)) {
    const roads::Way its = way;
    failed += shrink(c, name, [its](const roads::Case& it) { return roads::wrong_with(it, its); });
  }
  std::printf("%d ways failed\n", failed);
  return failed > 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  const auto asked = [&](const char* what) { return std::strcmp(argv[1], what) == 0; };
  if (argc == 3 && asked("--case"))
    return run_case(roads::random_case(number(2)), roads::all_roads());
  if (argc == 3 && asked("--small"))
    return run_case(roads::small_case(number(2)), roads::oracle_roads());
  if (argc == 3 && asked("--extreme")) return run_extreme(number(2));
  if (argc == 4 && asked("--extremes"))
    return run_cases(number(2), number(3),
                     [](roads::Drive& drive, std::uint64_t seed) { drive.take_extreme(seed); });
  if (argc == 4 && asked("--oracle"))
    return run_cases(number(2), number(3),
                     [](roads::Drive& drive, std::uint64_t seed) { drive.take_small(seed); });
  if (argc != 3) return 2;
  return run_cases(number(1), number(2),
                   [](roads::Drive& drive, std::uint64_t seed) { drive.take(seed); });
}
