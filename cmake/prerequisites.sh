# Read by tests/run, examples/run, benchmarks/run, .ci/run and tests/tools: `install_missing
# tool-or-library…` makes sure that what a build needs is there. Whatever works already is left
# alone, wherever it came from.

# The Debian package of each thing a build may need.
debian_package() {
  case $1 in
    compiler) echo g++ ;;
    cmake) echo cmake ;;
    make) echo make ;;
    clang) echo clang libclang-rt-dev ;;
    Eigen3) echo libeigen3-dev ;;
    Spectra) echo libspectra-dev ;;
    nanoflann) echo libnanoflann-dev ;;
    Catch2) echo catch2 ;;
    CLI11) echo libcli11-dev ;;
    benchmark) echo libbenchmark-dev ;;
    ninja) echo ninja-build ;;
    sklearn) echo python3-sklearn libopenblas0-pthread ;;
    llvm-cov | llvm-profdata) echo llvm ;;
    *) echo "$1" ;;
  esac
}

least_version() {
  case $1 in
    Eigen3) echo 3.4 ;;
    Spectra) echo 1.0 ;;
    nanoflann) echo 1.4 ;;
    *) echo 0 ;;
  esac
}

cxx_compiler() {
  local name
  if [ -n "${CXX:-}" ]; then
    echo "$CXX"
    return
  fi
  for name in c++ g++ clang++; do
    if command -v $name; then return; fi
  done
  return 1
}

# Compiles and links C++17: a compiler without its standard library or linker does not count.
have_compiler() {
  local compiler result=0 scratch
  compiler=$(cxx_compiler) || return 1
  scratch=$(mktemp -d)
  printf '#include <optional>\nint main() { return std::optional<int>(0).value(); }\n' \
    > "$scratch/probe.cpp"
  $compiler -std=c++17 "$scratch/probe.cpp" -o "$scratch/probe" 2> /dev/null || result=1
  rm -rf "$scratch"
  return $result
}

have_cmake() {
  local version
  version=$(cmake --version 2> /dev/null) || return 1
  version=$(printf '%s' "$version" | sed -n '1s/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
  [ "$(printf '3.21\n%s\n' "$version" | sort -V | head -n 1)" = 3.21 ]
}

have_make() { command -v make > /dev/null || command -v ninja > /dev/null; }
# With the libraries of its sanitizers, which are a package of their own.
have_clang() {
  local result=0 scratch
  command -v clang++ > /dev/null || return 1
  scratch=$(mktemp -d)
  echo 'int main() {}' > "$scratch/probe.cpp"
  clang++ -fsanitize=address "$scratch/probe.cpp" -o "$scratch/probe" 2> /dev/null || result=1
  rm -rf "$scratch"
  return $result
}
# With a fast BLAS: with the reference BLAS, its default on Debian, products take fifty times as long
# and every comparison is unfair.
have_sklearn() {
  /usr/bin/python3 - 2> /dev/null << 'END'
import sys, numpy, sklearn, threadpoolctl
sys.exit(not any(library["user_api"] == "blas" for library in threadpoolctl.threadpool_info()))
END
}

# The libraries among the arguments that are not there: as CMake sees it once the tools work, until
# then as the package manager does.
missing_libraries() {
  local list="" name scratch
  if have_compiler && have_cmake && have_make; then
    for name in "$@"; do list="$list;$name:$(least_version "$name")"; done
    scratch=$(mktemp -d)
    cmake -S "$root/cmake/probe" -B "$scratch" "-Dpackages=${list#;}" 2> /dev/null |
      sed -n 's/^-- missing //p'
    rm -rf "$scratch"
  else
    for name in "$@"; do
      dpkg-query -W -f '${Status}' "$(debian_package "$name")" 2> /dev/null |
        grep -q 'install ok installed' || echo "$name"
    done
  fi
}

install_missing() {
  local name missing="" libraries="" packages="" as_root=""
  for name in "$@"; do
    case $name in
      compiler | cmake | make | clang | sklearn) "have_$name" || missing="$missing $name" ;;
      clang-tidy | cppcheck | llvm-cov | llvm-profdata | ninja | python3 | valgrind)
        command -v "$name" > /dev/null || missing="$missing $name"
        ;;
      *) libraries="$libraries $name" ;;
    esac
  done
  for name in $(missing_libraries $libraries); do missing="$missing $name"; done
  [ -n "$missing" ] || return 0

  if ! command -v apt-get > /dev/null; then
    echo "Please install these first (this system has no apt-get): a C++17 compiler, CMake 3.21," \
      "make, Eigen 3.4, Spectra 1.0, nanoflann 1.4 and, for the tests, Catch2; missing now:$missing." >&2
    return 1
  fi
  for name in $missing; do packages="$packages $(debian_package "$name")"; done
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
      echo "Please run this as root, or install these first:$packages." >&2
      return 1
    fi
    as_root="sudo"
  fi
  echo "Installing with apt-get:$packages"
  $as_root apt-get update -qq &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 \
      --no-install-recommends $packages
}

# `configure <folder> <option>…`, with ninja where there is no make, and the options of the
# environment variable UNFURL_CMAKE_OPTIONS at the end.
configure() {
  local folder=$1
  shift
  if ! command -v make > /dev/null; then export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}; fi
  # shellcheck disable=SC2086
  CXX=$(cxx_compiler) cmake -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Release "$@" \
    ${UNFURL_CMAKE_OPTIONS:-}
}

jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc 2> /dev/null || echo 2)}
