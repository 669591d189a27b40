#pragma once

namespace embed {

/// While it lives, Ctrl-C does not end the program but is remembered; a second one ends it.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Ctrl-C was pressed during the life of one.
  static bool requested();

 private:
  using Handler = void (*)(int);
  Handler before_;
};

}  // namespace embed
