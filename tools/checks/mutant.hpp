// Faults that mutants.R writes into copies of the core: all are compiled at once, and the
// environment variable TECTREE_MUTANT says which one is active. `a < b` becomes `a < fault(7) > b`,
// which keeps the precedence of the operator; the operators below put the operands together again.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace tectree_faults {

inline const int active =
    std::getenv("TECTREE_MUTANT") ? std::atoi(std::getenv("TECTREE_MUTANT")) : 0;

// The faults whose code ran.
inline std::array<char, 4096> reached{};

// Adds the faults whose code ran to a file when the program ends.
struct AtEnd {
  ~AtEnd() {
    const char* file = std::getenv("TECTREE_REACHED_FILE");
    std::FILE* out = file ? std::fopen(file, "a") : nullptr;
    if (out == nullptr) return;
    for (std::size_t id = 1; id < reached.size(); ++id) {
      if (reached[id]) std::fprintf(out, "%d\n", static_cast<int>(id));
    }
    std::fclose(out);
  }
};
inline const AtEnd at_end;

inline bool on(int id) {
  reached[id] = 1;
  return id == active;
}

struct Fault {
  int id;
};

inline Fault fault(int id) {
  return {id};
}

// The status of a program that comes to a fault for which there is no other operator: a distance of
// iterators.
inline const int no_fault = 77;

template <int Operator, typename A>
struct Left {
  const A& a;
  bool wrong;
};

// TECTREE_FAULT(number, operator, operator that closes, right, wrong): `a` and `b` are the
// operands. Inlined, since vectors of AVX2 can only be passed between functions that are compiled
// for it.
#define TECTREE_FAULT(N, OPEN, CLOSE, RIGHT, WRONG)                                       \
  template <typename A>                                                                   \
  [[gnu::always_inline]] inline Left<N, A> operator OPEN(const A& a, Fault fault) {       \
    return {a, on(fault.id)};                                                             \
  }                                                                                       \
  template <typename A, typename B>                                                       \
  [[gnu::always_inline]] inline auto operator CLOSE(const Left<N, A>& left, const B& b) { \
    const A& a = left.a;                                                                  \
    if constexpr (N <= 6 || (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)) {       \
      if (left.wrong) return static_cast<decltype(RIGHT)>(WRONG);                         \
    } else if (left.wrong) {                                                              \
      std::_Exit(no_fault);                                                               \
    }                                                                                     \
    return RIGHT;                                                                         \
  }

TECTREE_FAULT(1, <, >, a < b, a <= b)
TECTREE_FAULT(2, <=, >, a <= b, a < b)
TECTREE_FAULT(3, >, >, a > b, a >= b)
TECTREE_FAULT(4, >=, >, a >= b, a > b)
TECTREE_FAULT(5, ==, ==, a == b, !(a == b))
TECTREE_FAULT(6, !=, ==, a != b, !(a != b))
TECTREE_FAULT(7, +, +, a + b, a - b)
TECTREE_FAULT(8, -, -, a - b, a + b)
TECTREE_FAULT(9, *, *, a* b, a)
TECTREE_FAULT(10, /, /, a / b, a* b)

#undef TECTREE_FAULT

}  // namespace tectree_faults

using tectree_faults::fault;
