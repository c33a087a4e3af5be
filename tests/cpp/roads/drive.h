// Cases one after the other on every road that admits them; how many each road took is counted.
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

// What is being done, for the last words of a program that dies of it.
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

// What differs on a road, empty where nothing does or the road does not admit the case.
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
  Drive() : taken_(all_roads().size(), 0) { say_what_died(); }

  void take(std::uint64_t seed) {
    Doing::set(seed, "the usual one");
    const Case c = random_case(seed);
    ++cases_;
    Tree usual;
    try {
      usual = Posed(c, Way()).grow();
    } catch (const std::exception& error) {
      failures_.push_back({seed, "the usual one", std::string("throws: ") + error.what()});
      return;
    }
    for (std::size_t r = 0; r < all_roads().size(); ++r) {
      const Road& road = all_roads()[r];
      Doing::set(seed, road.name);
      std::string said;
      try {
        if (road.refusal(c)) continue;
        ++taken_[r];
        said = road.run(c, usual);
      } catch (const std::exception& error) {
        said = std::string("throws: ") + error.what();
      }
      if (!said.empty()) failures_.push_back({seed, road.name, said});
    }
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

  // The roads that took fewer cases than they must, of a thousand or more.
  std::vector<std::string> deserted() const {
    std::vector<std::string> out;
    if (cases_ < 1000) return out;
    for (std::size_t r = 0; r < taken_.size(); ++r) {
      if (taken_[r] < all_roads()[r].least_share * cases_)
        out.push_back(std::string(all_roads()[r].name) + ": " + std::to_string(taken_[r]) + " of " +
                      std::to_string(cases_) + " cases");
    }
    return out;
  }

  void report() const {
    if (extremes_ > 0) std::printf("%7d extreme problems\n", extremes_);
    if (cases_ == 0) return;
    for (std::size_t r = 0; r < taken_.size(); ++r)
      std::printf("%7d of %d cases: %s\n", taken_[r], cases_, all_roads()[r].name);
  }

 private:
  int cases_ = 0, extremes_ = 0;
  std::vector<int> taken_;
  std::vector<Failure> failures_;
};

}  // namespace roads
