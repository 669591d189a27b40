#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace embed {
namespace {

std::atomic<bool> pressed{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait");

extern "C" void remember(int) {
  pressed = true;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() : before_(std::signal(SIGINT, remember)) {
  if (before_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // as whoever started us wishes
}

Interrupt::~Interrupt() { std::signal(SIGINT, before_); }

bool Interrupt::requested() { return pressed; }

}  // namespace embed
