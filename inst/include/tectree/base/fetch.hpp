// Memory that is needed soon.
#pragma once

#include <cstddef>

namespace tectree {

// Starts to read the memory at an address, which nothing waits for.
inline void fetch(const void* address) {
#ifdef __GNUC__
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

// How many rows ahead a pass in the order of a list of rows fetches what it reads of them.
constexpr std::size_t rows_ahead = 32;

}  // namespace tectree
