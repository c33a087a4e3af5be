// Replaces the allocator of the program: requests are counted, and the n-th can fail. Included once
// per program, outside any namespace.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace faults {

inline std::atomic<long> requests{0};    // since the last call of fail_at()
inline std::atomic<long> live{0};        // allocations that have not been freed
inline std::atomic<long> first{0};       // the request that fails; 0: none
inline std::atomic<bool> sticks{false};  // whether all later requests fail too

// The n-th request from now on fails; with `all_later`, so do the following ones. 0: none fails.
inline void fail_at(long n, bool all_later = false) {
  sticks = all_later;
  requests = 0;
  first = n;
}

// Null if the request fails.
inline void* take(std::size_t size, std::size_t alignment = 0) {
  const long number = ++requests, at = first;
  if (at > 0 && (number == at || (sticks && number > at))) return nullptr;
  if (size == 0) size = 1;
  void* out = alignment == 0
                  ? std::malloc(size)
                  : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (out) ++live;
  return out;
}

inline void* take_or_throw(std::size_t size, std::size_t alignment = 0) {
  if (void* out = take(size, alignment)) return out;
  throw std::bad_alloc();
}

inline void give_back(void* memory) {
  if (!memory) return;
  --live;
  std::free(memory);
}

}  // namespace faults

// Not inlined: compilers warn if they see free() for memory of operator new.
#define FAULTS_APART __attribute__((noinline))

FAULTS_APART void* operator new(std::size_t size) {
  return faults::take_or_throw(size);
}
FAULTS_APART void* operator new[](std::size_t size) {
  return faults::take_or_throw(size);
}
FAULTS_APART void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return faults::take(size);
}
FAULTS_APART void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return faults::take(size);
}
FAULTS_APART void* operator new(std::size_t size, std::align_val_t alignment) {
  return faults::take_or_throw(size, static_cast<std::size_t>(alignment));
}
FAULTS_APART void* operator new[](std::size_t size, std::align_val_t alignment) {
  return faults::take_or_throw(size, static_cast<std::size_t>(alignment));
}
FAULTS_APART void operator delete(void* memory) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete[](void* memory) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete(void* memory, std::size_t) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete[](void* memory, std::size_t) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete(void* memory, const std::nothrow_t&) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete(void* memory, std::align_val_t) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete[](void* memory, std::align_val_t) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  faults::give_back(memory);
}
FAULTS_APART void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  faults::give_back(memory);
}
