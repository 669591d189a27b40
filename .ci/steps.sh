# Read by .ci/run and .ci/nightly: steps and how long they took.
times=""
step_name=""
step_start=$SECONDS

# step <what begins now>
step() {
  end_step
  step_name=$1
  step_start=$SECONDS
  printf '\n=== %s\n' "$1"
}

end_step() {
  local took=$((SECONDS - step_start))
  if [ -n "$step_name" ]; then
    times="$times$(printf '%3d:%02d  %s' $((took / 60)) $((took % 60)) "$step_name")"$'\n'
  fi
}

print_times() {
  end_step
  printf '\nmin:s  step\n%s%3d:%02d  in all\n' "$times" $((SECONDS / 60)) $((SECONDS % 60))
}

# preset <name> <argument of ctest>…: configures, builds and runs a preset; of the test programs
# those in `programs`, if any are named there, optimised by `level`, if that is set.
programs=""
level=""
preset() {
  local name=$1
  shift
  if ! command -v make > /dev/null; then export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}; fi
  CXX=$(cxx_compiler) cmake --preset "$name" "-DUNFURL_TEST_PROGRAMS=$programs" \
    ${level:+-DUNFURL_TEST_LEVEL=$level}
  cmake --build --preset "$name" --parallel "$jobs"
  ctest --preset "$name" --no-tests=error --no-label-summary --parallel "$jobs" "$@"
}

# beside <command>…: so many at a time as `jobs` says, one core each; fails when one of them does.
beside() {
  local command folder number=0 pid pids="" result=0
  folder=$(mktemp -d)
  for command in "$@"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do sleep 0.2; done
    number=$((number + 1))
    CMAKE_BUILD_PARALLEL_LEVEL=1 jobs=1 "$command" > "$folder/$number" 2>&1 &
    pids="$pids $!"
  done
  for pid in $pids; do wait "$pid" || result=1; done
  cat "$folder"/*
  rm -rf "$folder"
  return $result
}

# What gcc compiles of core and io runs under valgrind.
gcc_asan() { programs=contract_pca_test preset asan --exclude-regex "$too_slow_instrumented"; }

tsan() {
  programs="core_tests;neighbors_tests;tsne_tests" preset tsan --tests-regex "$about_threads"
}

gcc_20() { in_combination g++ 20; }
clang_20() { in_combination clang++ 20; }

# in_combination <compiler> <standard>: all headers in one program, and what must not compile.
in_combination() {
  local folder="$root/build/$1-$2"
  CMAKE_GENERATOR="Unix Makefiles" CXX=$1 configure "$folder" -DUNFURL_WERROR=ON \
    -DCMAKE_CXX_STANDARD="$2" -DUNFURL_TEST_LONG=OFF -DUNFURL_BUILD_EXAMPLES=OFF
  cmake --build "$folder" --parallel "$jobs" --target headers_together
  ctest --test-dir "$folder" --output-on-failure --parallel "$jobs" -R '^(headers|compile_fail)'
}

# Test cases that take minutes when instrumented, and those whose subject is threads.
too_slow_instrumented="full multiplicity, by every solver|reads half of the matrix|never a narrower \
matrix|NnDescent finds the share|NnDescent is exact and says so|lecture notes"
about_threads="thread|parallel|concurren|worker|block|same bytes|lowest block"
