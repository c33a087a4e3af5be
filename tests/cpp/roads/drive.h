// Runs cases one after another on every road that admits them, and counts the cases of each road.
#pragma once

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#if defined(__unix__)
#include <unistd.h>
#endif

#include "roads/extreme.h"
#include "roads/generate.h"
#include "roads/roads.h"

namespace roads {

// The current case, for the last message of a program that crashes.
struct Doing {
  static char* text() {
    static char said[256] = "";
    return said;
  }
  static void set(std::uint64_t seed, const char* road, const char* option = "--case") {
    std::snprintf(
        text(), 256, "\ndied in case %llu on the road \"%s\"; again: sh tools/roads.sh %s %llu\n",
        static_cast<unsigned long long>(seed), road, option, static_cast<unsigned long long>(seed));
  }
  static void say() {
#if defined(__unix__)
    if (write(1, text(), std::strlen(text())) < 0) return;
#endif
  }
};

#if defined(__SANITIZE_ADDRESS__)
#define ROADS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ROADS_SANITIZED
#endif
#endif
#ifdef ROADS_SANITIZED
extern "C" void __sanitizer_set_death_callback(void (*)());
#endif

inline void say_what_died() {
#ifdef ROADS_SANITIZED
  __sanitizer_set_death_callback([] { Doing::say(); });
#endif
  for (int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL}) {
#ifdef ROADS_SANITIZED
    if (signal != SIGABRT) continue;
#endif
    std::signal(signal, [](int which) {
      Doing::say();
      std::signal(which, SIG_DFL);
      std::raise(which);
    });
  }
}

struct Failure {
  std::uint64_t seed;
  std::string road, what;
  const char* option = "--case";
};

inline std::string text_of(const Failure& f) {
  const std::string seed = std::to_string(f.seed);
  return "case " + seed + ", " + f.road + ": " + f.what + "; again: sh tools/roads.sh " + f.option +
         " " + seed;
}

// The differences on a road, empty if there are none or the road does not admit the case.
inline std::string differs_on(const Case& c, const Road& road) {
  if (road.refusal(c)) return "";
  try {
    const Tree usual = Posed(c, Way()).grow();
    return road.run(c, usual);
  } catch (const std::exception& error) {
    return std::string("throws: ") + error.what();
  }
}

class Drive {
 public:
  Drive() : taken_(all_roads().size(), 0), taken_small_(oracle_roads().size(), 0) {
    say_what_died();
  }

  void take(std::uint64_t seed) { take(random_case(seed), "--case", all_roads(), taken_, cases_); }

  // A small problem, only on the roads of the oracle.
  void take_small(std::uint64_t seed) {
    take(small_case(seed), "--small", oracle_roads(), taken_small_, small_);
  }

  // An extreme problem in several ways.
  void take_extreme(std::uint64_t seed) {
    const Case c = ExtremeGenerator(seed).make();
    ++extremes_;
    for (const auto& [name, way] : ways_of_extremes(c)) {
      Doing::set(seed, name, "--extreme");
      const std::string said = wrong_with(c, way);
      if (!said.empty()) failures_.push_back({seed, name, said, "--extreme"});
    }
  }
  int extremes() const { return extremes_; }

  const std::vector<Failure>& failures() const { return failures_; }

  // The roads with fewer cases than required, of a thousand or more.
  std::vector<std::string> deserted() const {
    std::vector<std::string> out;
    const auto look = [&](const std::vector<Road>& roads, const std::vector<int>& taken, int all) {
      for (std::size_t r = 0; r < roads.size(); ++r) {
        if (all < 1000 || taken[r] >= roads[r].least_share * all) continue;
        out.push_back(std::string(roads[r].name) + ": " + std::to_string(taken[r]) + " of " +
                      std::to_string(all) + " cases");
      }
    };
    look(all_roads(), taken_, cases_);
    look(oracle_roads(), taken_small_, small_);
    return out;
  }

  void report() const {
    if (extremes_ > 0) std::printf("%7d extreme problems\n", extremes_);
    const auto say = [](const std::vector<Road>& roads, const std::vector<int>& taken, int all) {
      for (std::size_t r = 0; all > 0 && r < roads.size(); ++r)
        std::printf("%7d of %d cases: %s\n", taken[r], all, roads[r].name);
    };
    say(all_roads(), taken_, cases_);
    say(oracle_roads(), taken_small_, small_);
  }

 private:
  void take(const Case& c, const char* option, const std::vector<Road>& roads,
            std::vector<int>& taken, int& cases) {
    Doing::set(c.seed, "the usual one", option);
    ++cases;
    Tree usual;
    try {
      usual = Posed(c, Way()).grow();
    } catch (const std::exception& error) {
      failures_.push_back(
          {c.seed, "the usual one", std::string("throws: ") + error.what(), option});
      return;
    }
    for (std::size_t r = 0; r < roads.size(); ++r) {
      const Road& road = roads[r];
      Doing::set(c.seed, road.name, option);
      std::string said;
      try {
        if (road.refusal(c)) continue;
        ++taken[r];
        said = road.run(c, usual);
      } catch (const std::exception& error) {
        said = std::string("throws: ") + error.what();
      }
      if (!said.empty()) failures_.push_back({c.seed, road.name, said, option});
    }
  }

  int cases_ = 0, small_ = 0, extremes_ = 0;
  std::vector<int> taken_, taken_small_;
  std::vector<Failure> failures_;
};

}  // namespace roads
