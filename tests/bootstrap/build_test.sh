#!/bin/sh
# Tests how ./torchbook, the bootstrap, builds and starts the program, without root or network; see machine.sh. Prints a
# line for each check, and the end of stderr if it fails. Exits with 1 if any check fails.
#
#   tests/bootstrap/build_test.sh [the bootstrap to test]
#
# shellcheck disable=SC2016,SC2154  # the fakes' code must not be expanded; machine.sh sets variables

# shellcheck source=tests/bootstrap/machine.sh
. "$(dirname -- "$(readlink -f -- "$0")")/machine.sh"

fresh
touch "$state/configure_fails"
run run
check "configuring fails: exit code 2" exits 2
check "configuring fails: shows the end of the log" says "CMake Error: a library is missing"
check "configuring fails: says where the log is" says "configuring failed; the whole log is $log"
check "configuring fails: builds nothing" not called '^cmake --build'
check "configuring fails: nothing on stdout" prints_nothing
rm "$state/configure_fails"
run run
check "configuring failed: the next run configures again" called_times '^cmake --preset' 2
check "configuring failed: the next run goes through" exits 0

fresh
touch "$state/build_fails"
run run
check "building fails: exit code 2" exits 2
check "building fails: shows the end of the log" says "fatal error: torch.h"
check "building fails: the end of the log only" not says "[1/30]"
check "building fails: says where the log is" says "building failed; the whole log is $log"
check "building fails: the log is whole" \
    test "$(grep -cxE '== apt-get install|== configuring|\[1/30\] .*' "$log")" -eq 3
check "building fails: nothing on stdout" prints_nothing

fresh
echo 3.24.4 >"$state/cmake_version"
run run
check "CMake 3.24: exit code 2" exits 2
check "CMake 3.24: says what is needed" says "CMake 3.25 or newer is needed"
fresh
echo 4.1.0 >"$state/cmake_version"
run run
check "CMake 4.1 will do" exits 0

fresh
export TORCHBOOK_PRESET=fast
run run
check "unknown preset: exit code 2" exits 2
check "unknown preset: says what it can be" says_only \
    "torchbook: TORCHBOOK_PRESET is 'fast'; it can be release, debug, asan or ci"
check "unknown preset: does nothing" not test -s "$state/calls"
for TORCHBOOK_PRESET in debug asan ci; do
    run run
    check "preset $TORCHBOOK_PRESET is configured" called "^cmake --preset $TORCHBOOK_PRESET "
    check "preset $TORCHBOOK_PRESET is built" called "^cmake --build --preset $TORCHBOOK_PRESET "
    check "preset $TORCHBOOK_PRESET is run" test -x "$work/clone/build/$TORCHBOOK_PRESET/bin/torchbook" -a "$code" -eq 0
done
run test
check "preset ci is tested" called "^ctest --preset ci -j 6 -LE packaging$"
unset TORCHBOOK_PRESET

fresh
touch "$state/configure_fails"
run test
rm "$state/configure_fails"
run run
check "tests cannot be configured: the next run configures without" called '^cmake --preset .*TESTS=OFF'
check "tests cannot be configured: the next run goes through" prints "$program_ran"

ready
touch "$work/clone/CMakePresets.json"
touch -d '1 minute ago' "$work/clone/build/release/build.ninja"
run run
check "newer CMakePresets.json: configures again" called_times '^cmake --preset' 1

fresh
export CMAKE_PREFIX_PATH=/opt/libtorch
run run
check "another LibTorch: libtorch-dev is not installed" not called 'apt-get .*libtorch-dev'
check "another LibTorch: the rest is" called 'apt-get .* install .*libfmt-dev'
: >"$state/calls"
run run
check "another LibTorch: configured once" not called '^cmake --preset'
CMAKE_PREFIX_PATH=/opt/newer
run run
check "CMAKE_PREFIX_PATH changed: configures afresh" called '^cmake --preset release .*--fresh'
: >"$state/calls"
unset CMAKE_PREFIX_PATH
run run
check "CMAKE_PREFIX_PATH gone: configures afresh" called '^cmake --preset release .*--fresh'
check "CMAKE_PREFIX_PATH gone: libtorch-dev is installed" called 'apt-get .* install .*libtorch-dev'

fresh
run test -R 'some test' --verbose
check "test: installs what tests need, too" installs "$to_build $to_test npm"
check "test: configures with tests" called '^cmake --preset release -DTORCHBOOK_BUILD_TESTS=ON$'
check "test: says that building takes long" says "torchbook: building (the first time takes a few minutes)"
check "test: builds everything" called '^cmake --build --preset release$'
check "test: runs ctest in the repository root with the arguments" prints "ctest in $work/clone
<--preset>
<release>
<-j>
<6>
<-R>
<some test>
<--verbose>"
: >"$state/calls"
run run
check "run after test: no configure" not called '^cmake --preset'
export PROGRAM_EXIT=8
run test
unset PROGRAM_EXIT
check "test: exit code of ctest" exits 8
fresh
for package in $to_build $to_test npm; do
    echo "$package install ok installed" >>"$state/packages"
done
run run
run test
check "nothing is missing: nothing is installed" not called '^apt-get'
check "test after run: configures with tests" called '^cmake --preset release -DTORCHBOOK_BUILD_TESTS=ON$'
: >"$state/calls"
run test
check "second test: no configure" not called '^cmake --preset'
check "second test: says only what it leaves out" says_only \
    "torchbook: leaving out the tests that build other projects; ./torchbook test -L packaging runs them"

fresh
mkdir -p "$work/clone/tests/matrix"
echo 'for argument in "$@"; do echo "<$argument>"; done; exit 7' >"$work/clone/tests/matrix/matrix.sh"
run matrix --clean 'a b'
check "matrix: hands over its arguments" prints "<--clean>
<a b>"
check "matrix: its exit code" exits 7
check "matrix: sets up nothing" not test -s "$state/calls"
check "matrix: says nothing" says_nothing

fresh
touch "$work/clone/build"
run run
check "cannot write: exit code 2" exits 2
check "cannot write: one clear line" says_only \
    "torchbook: cannot write in $work/clone/build (a read-only checkout, a full disk, or another user's files?)"

ready
PATH=$bin flock "$work/clone/build/setup.lock" sh -c '
    echo held >"$1/held"
    wait_for waiting "$1/../err"
    "$2" 0.5
    echo released >>"$1/calls"' - "$state" "$real_sleep" &
"$bin/wait_for" held "$state/held"
run run
check "another set-up at the same time: says that it waits" \
    says_only "torchbook: waiting for another ./torchbook that is setting up"
check "another set-up at the same time: does wait" \
    test "$(grep -E '^released|^cmake --build' "$state/calls" | head -n 1)" = released
check "another set-up at the same time: then runs" prints "$program_ran"
wait
check "the program is not left our lock" not grep -q descriptor "$work/out"

# Makes time fly: a second of the bootstrap takes 0.05 s.
ready
touch "$state/time_flies"
echo "15 s [30/30]" >"$state/build_waits_for"
run run
check "progress elsewhere than on a terminal: announces the build" says_in_a_line "torchbook: building"
check "progress elsewhere than on a terminal: a line every 15 s" says_in_a_line "torchbook:   15 s [30/30]"
check "progress elsewhere than on a terminal: no more lines" not says "torchbook:   14 s"
check "progress elsewhere than on a terminal: no line is rewritten" not says "$(printf '\r')"
if script -qec true /dev/null >/dev/null 2>&1; then
    printf '\rtorchbook:   12 s [30/30]' >"$state/build_waits_for"
    script -qec "env PATH='$bin' '$work/clone/torchbook' run" "$work/typescript" >"$work/err" </dev/null
    check "progress on a terminal: one line that is rewritten" says "$(printf '\r')torchbook:   12 s [30/30]"
else
    echo "NOT TESTED: progress on a terminal; no pseudo-terminal can be opened here (is /dev/pts mounted?)"
    check "progress on a terminal: must be tested in CI" test -z "${CI-}"
fi

# Ctrl-C signals the whole process group. A shell's background process leads no group and ignores the signal.
ready
rm "$work/clone/build/release/bin/torchbook"
echo "go on" >"$state/build_waits_for"
PATH=$bin "$real_setsid" env --default-signal=INT "$work/clone/torchbook" run >"$work/out" 2>"$work/err" &
group=$!
"$bin/wait_for" "cmake --build" "$state/calls"
kill -s INT -- "-$group"
wait "$group"
code=$?
check "Ctrl-C: exit code 130" exits 130
check "Ctrl-C: says so" says_in_a_line "torchbook: interrupted"
echo "go on" >>"$work/err"
"$real_sleep" 0.5
check "Ctrl-C: the build does not go on" not called "^build ended"
rm "$state/build_waits_for"
run run
check "Ctrl-C: the next run goes through" prints "$program_ran"

finish
