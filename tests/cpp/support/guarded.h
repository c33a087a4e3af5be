// Bytes at the very end of the memory that a program may read.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <vector>

namespace support {

// A copy of `bytes`: reading beyond its end ends the program.
class Guarded {
 public:
  explicit Guarded(const std::vector<unsigned char>& bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t room = (bytes.size() + page - 1) / page * page;
    size_ = room + page;
    start_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start_ == MAP_FAILED) throw std::bad_alloc();
    unsigned char* end = static_cast<unsigned char*>(start_) + room;
    if (mprotect(end, page, PROT_NONE) != 0) throw std::bad_alloc();
    data_ = end - bytes.size();
    if (!bytes.empty()) std::memcpy(data_, bytes.data(), bytes.size());
  }
  ~Guarded() { munmap(start_, size_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  const unsigned char* data() const { return data_; }

 private:
  void* start_ = nullptr;
  unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace support
