// Arena: memory for what one evaluation builds; all of it is given back at once.
//
// Keeps its blocks between evaluations, so that a thread which evaluates the same programs again
// allocates nothing. Not thread-safe. Allocation is a pointer bump. What it makes may own heap
// memory (a big quantity): destructors run at Reset().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace quadra::cel {

class Arena {
 public:
  // An evaluation that has built more than this is stopped, as if its cost had run out.
  static constexpr std::size_t kLimit = std::size_t{256} << 20;

  Arena() = default;
  ~Arena() { Reset(); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* Allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
    const std::size_t padding = (0 - reinterpret_cast<std::uintptr_t>(next_)) & (alignment - 1);
    if (static_cast<std::size_t>(end_ - next_) < padding + bytes || next_ == nullptr) {
      return AllocateSlow(bytes);
    }
    char* const start = next_ + padding;
    next_ = start + bytes;
    return start;
  }

  template <typename T, typename... Arguments>
  T* Make(Arguments&&... arguments) {
    void* place = Allocate(sizeof(T), alignof(T));
    T* made = ::new (place) T{std::forward<Arguments>(arguments)...};
    if constexpr (!std::is_trivially_destructible_v<T>) {
      cleanups_.push_back({made, [](void* object) { static_cast<T*>(object)->~T(); }});
    }
    return made;
  }

  template <typename T>
  T* MakeArray(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* array = static_cast<T*>(Allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(array, count);
    return array;
  }

  std::string_view Copy(std::string_view text);

  // Bytes handed out since Reset(), roughly.
  std::size_t used() const { return earlier_ + static_cast<std::size_t>(next_ - block_); }
  bool HasRoom(std::size_t bytes) const { return bytes <= kLimit && used() + bytes <= kLimit; }

  // Forgets everything made. Keeps the memory, unless it is unusually much.
  void Reset();

 private:
  struct Cleanup {
    void* object;
    void (*destroy)(void*);
  };
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };

  void* AllocateSlow(std::size_t bytes);
  void Enter(const Block& block);

  char* next_ = nullptr;
  char* end_ = nullptr;
  char* block_ = nullptr;
  std::size_t earlier_ = 0;  // bytes in blocks before the current one
  std::size_t current_ = 0;  // blocks_[current_ - 1] is in use; 0: none
  std::vector<Block> blocks_;
  std::vector<Cleanup> cleanups_;
};

}  // namespace quadra::cel
