#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl {

/// Threads for one computation, on std::thread. Work is cut into blocks whose bounds depend only on
/// the size of the problem, never on the number of threads, and partial results are combined in
/// block order: so every result has the same bytes for any number of threads.
///
/// - An exception thrown by a block reaches the caller (that of the lowest block, once).
/// - A nested call runs on the thread it is made from, so nesting is safe and never deadlocks.
/// - Each fit or transform owns its own object: there is no global pool, and a user's own threads
///   may all use the library at once.
///
/// The workers are started by the first call that has work for them. Between calls they look out
/// for the next for a moment, giving way to whoever needs the core, and then sleep until they are
/// woken, which takes longer (benchmarks/parallel_overhead.cpp).
class Parallel {
 public:
  /// A run of consecutive items. `number` counts the blocks; `worker` (below n_threads()) tells
  /// which scratch space to use.
  struct Block {
    Index begin,  ///< the first item
        end,      ///< one beyond the last
        number;   ///< of the block, from 0
    int worker;   ///< of the thread that runs it, 0 to n_threads() - 1
    /// Number of items.
    Index size() const { return end - begin; }
  };

  /// Starts no thread yet.
  /// \param n_threads 0: as many as the machine has cores.
  explicit Parallel(int n_threads = 0) : n_threads_(n_threads > 0 ? n_threads : all_cores()) {}

  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  ~Parallel() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      quit_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  /// Most threads at work at once, the calling one included.
  int n_threads() const { return n_threads_; }

  /// Calls `body(Block)` for the blocks of {0, …, n - 1}.
  template <class Body>
  void for_blocks(Index n, Index block_size, Body&& body) const {
    using Callee = std::remove_reference_t<Body>;
    if (n <= 0) return;
    run({n, block_size, const_cast<void*>(static_cast<const void*>(&body)),
         [](void* callee, const Block& block) { (*static_cast<Callee*>(callee))(block); }});
  }

  /// Calls `body(i)` for i in {0, …, n - 1}.
  template <class Body>
  void for_each(Index n, Body&& body, Index block_size = 64) const {
    for_blocks(n, block_size, [&](const Block& block) {
      for (Index i = block.begin; i < block.end; ++i) body(i);
    });
  }

  /// combine(… combine(combine(init, map(block 0)), map(block 1)) …), in block order.
  template <class Value, class Map, class Combine>
  Value reduce(Index n, Index block_size, Value init, Map&& map, Combine&& combine) const {
    if (n <= 0) return init;
    struct Slot {  // std::vector<bool> packs bits, which threads must not share
      Value value;
    };
    std::vector<Slot> partial(static_cast<std::size_t>((n - 1) / block_size + 1), Slot{init});
    for_blocks(n, block_size, [&](const Block& block) {
      partial[static_cast<std::size_t>(block.number)].value = map(block);
    });
    for (Slot& slot : partial) init = combine(std::move(init), std::move(slot.value));
    return init;
  }

  /// Called with the fraction done on the thread that called for_blocks, a few times a second;
  /// what it throws ends the computation.
  void on_progress(std::function<void(double)> hook) { progress_ = std::move(hook); }

 private:
  using Clock = std::chrono::steady_clock;

  /// The blocks of {0, …, n - 1} and whom to call with them. (A pointer and a function: a
  /// std::function of every body would be three more functions to compile for each.)
  struct Task {
    Index n, block_size;
    void* callee;
    void (*call)(void* callee, const Block& block);

    Index n_blocks() const { return (n - 1) / block_size + 1; }
    void operator()(Index number, int worker) const {
      const Index begin = number * block_size;
      call(callee, Block{begin, std::min(begin + block_size, n), number, worker});
    }
  };

  struct Job {
    explicit Job(const Task& work) : task(work), n_tasks(work.n_blocks()) {}
    const Task& task;
    const Index n_tasks;
    std::atomic<Index> next{0};
    std::mutex mutex;
    std::exception_ptr error = nullptr;
    Index failed_task = std::numeric_limits<Index>::max();
  };

  static int all_cores() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }

  void run(const Task& task) const {
    if (busy_.exchange(true)) {  // nested
      for (Index i = 0; i < task.n_blocks(); ++i) task(i, 0);
      return;
    }
    struct Release {
      std::atomic<bool>& busy;
      ~Release() { busy = false; }
    } release{busy_};

    Job job(task);
    const bool shared = n_threads_ > 1 && job.n_tasks > 1;
    if (shared) hand_out(job);
    work(job, 0);
    if (shared) take_back();
    if (job.error) std::rethrow_exception(job.error);
  }

  /// Tasks are taken in order, so when one fails every earlier one has been taken and will finish:
  /// the error that is kept is that of the lowest failing task, for any number of threads.
  void work(Job& job, int worker) const {
    for (;;) {
      const Index i = job.next.fetch_add(1);
      if (i >= job.n_tasks) return;
      try {
        job.task(i, worker);
        if (worker == 0 && progress_ &&
            Clock::now() - last_report_ > std::chrono::milliseconds(50)) {
          last_report_ = Clock::now();
          progress_(static_cast<double>(i + 1) / static_cast<double>(job.n_tasks));
        }
      } catch (...) {
        std::lock_guard<std::mutex> lock(job.mutex);
        if (i < job.failed_task) {
          job.failed_task = i;
          job.error = std::current_exception();
        }
        job.next = job.n_tasks;
      }
    }
  }

  void hand_out(Job& job) const {
    start_workers();
    {
      std::lock_guard<std::mutex> lock(mutex_);
      job_ = &job;
      ++generation_;
      active_ = static_cast<int>(workers_.size());
    }
    wake_.notify_all();
  }

  void take_back() const {
    look_out([&] { return active_ == 0; });
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [&] { return active_ == 0; });
    job_ = nullptr;
  }

  /// Until `seen`, but not for long.
  template <class Seen>
  static void look_out(Seen&& seen) {
    const auto patience = std::chrono::microseconds(200);
    for (const auto began = Clock::now(); !seen() && Clock::now() - began < patience;)
      std::this_thread::yield();
  }

  void start_workers() const {
    if (!workers_.empty()) return;
    workers_.reserve(static_cast<std::size_t>(n_threads_ - 1));
    try {
      for (int id = 1; id < n_threads_; ++id)
        workers_.emplace_back(
            [this, id, generation = generation_.load()] { serve(id, generation); });
    } catch (const std::system_error&) {
      // The machine gives no more threads: the work is done by those there are.
    }
  }

  void serve(int id, std::size_t seen) const {
    for (;;) {
      Job* job;
      look_out([&] { return quit_ || generation_ != seen; });
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return quit_ || generation_ != seen; });
        if (quit_) return;
        seen = generation_;
        job = job_;
      }
      work(*job, id);
      {
        std::lock_guard<std::mutex> lock(mutex_);
        if (--active_ == 0) done_.notify_one();
      }
    }
  }

  int n_threads_;
  std::function<void(double)> progress_ = nullptr;
  mutable Clock::time_point last_report_ = Clock::now();  // of the calling thread only
  mutable std::vector<std::thread> workers_;
  mutable std::atomic<bool> busy_{false};
  mutable std::mutex mutex_;
  mutable std::condition_variable wake_, done_;
  mutable Job* job_ = nullptr;
  mutable std::atomic<std::size_t> generation_{0};
  mutable std::atomic<int> active_{0};
  mutable std::atomic<bool> quit_{false};
};

}  // namespace unfurl
