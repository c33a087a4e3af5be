// Functions for processors that have AVX2: marked TECTREE_AVX2 they alone are compiled for it, in a
// build for any processor, and are called only where has_avx2(). TECTREE_PLAIN leaves them out.
#pragma once

// gcc does not align the stack as it would have to on Windows.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32) && !defined(TECTREE_PLAIN)
#define TECTREE_HAS_AVX2
#define TECTREE_AVX2 __attribute__((target("avx2,popcnt")))
#include <immintrin.h>
#endif

#include <atomic>

namespace tectree {

// Tests take it away, to compare what is grown without. Not while a tree grows.
inline std::atomic<bool> avx2_allowed{true};

inline bool has_avx2() {
#ifdef TECTREE_HAS_AVX2
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
  return has && avx2_allowed.load(std::memory_order_relaxed);
#else
  return false;
#endif
}

}  // namespace tectree
