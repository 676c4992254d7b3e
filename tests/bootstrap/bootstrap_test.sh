#!/bin/sh
# Tests ./torchbook, the bootstrap, without root and without network: what it calls is faked in a folder that is the
# whole PATH. Prints a line for each check, and the end of stderr where one fails; exits 1 if any fails.
#
#   tests/bootstrap/bootstrap_test.sh [the bootstrap to test]
#
# shellcheck disable=SC2016,SC2086  # code of fakes is not to be expanded; lists of package names are to be split
set -u

script=$(readlink -f -- "${1:-$(dirname -- "$0")/../../torchbook}")
work=$(mktemp -d "${TMPDIR:-/tmp}/bootstrap_test.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0
real_setsid=$(command -v setsid)
unset TORCHBOOK_PRESET CMAKE_PREFIX_PATH DEBIAN_FRONTEND NINJA_STATUS

# ------------------------------------------------------------ fakes

bin=$work/bin state=$work/state elsewhere=$work/else\ where log=$work/clone/build/release-setup.log
mkdir "$bin"
for tool in awk cat chmod df dirname env find flock grep head mkdir paste readlink rm sed sh sort tail touch; do
    ln -s "$(command -v "$tool")" "$bin/$tool"
done

# fake NAME: makes a fake of it, which notes its call, from the text on stdin.
fake() {
    {
        printf '#!/bin/sh\nstate="%s"\nprintf "%%s\\n" "%s $*" >>"$state/calls"\n' "$state" "$1"
        cat
    } >"$bin/$1"
    chmod 755 "$bin/$1"
}

fake id <<'FAKE'
cat "$state/uid"
FAKE
fake dpkg-query <<'FAKE'
for package in "$@"; do
    grep -x -e "$package .*" "$state/packages" || missing=1
done
exit "${missing:-0}"
FAKE
fake dpkg </dev/null
fake true </dev/null
fake apt-get <<'FAKE'
echo "apt-get prints this"
[ "${DEBIAN_FRONTEND-}" = noninteractive ] || touch "$state/may_ask"
read -r answer && touch "$state/may_ask"
case " $* " in
*" update "*) [ ! -e "$state/update_fails" ] || { echo "E: no network"; exit 100; } ;;
*" install "*)
    [ ! -e "$state/install_fails" ] || { echo "E: no such package"; exit 100; }
    for package in "$@"; do
        echo "$package install ok installed" >>"$state/packages"
    done
    ;;
esac
FAKE
fake sudo <<'FAKE'
[ "$1" = -n ] || { touch "$state/may_ask"; exit 1; }
[ -e "$state/sudo_works" ] || exit 1
shift
exec "$@"
FAKE
fake cmake <<'FAKE'
if [ "$1" = --version ]; then
    printf 'cmake version %s\n\nCMake suite\n' "$(cat "$state/cmake_version")"
    exit
fi
echo "cmake prints this"
echo "cmake prints this, too" >&2
[ -e CMakePresets.json ] || { echo "not in the repository root"; exit 1; }
if [ "$1" = --preset ]; then
    build=build/$2
    mkdir -p "$build"
    case " $* " in
    *" --fresh "*) rm -f "$build/CMakeCache.txt" ;;
    esac
    case " $* " in
    *" -DTORCHBOOK_BUILD_TESTS=OFF"*) echo "TORCHBOOK_BUILD_TESTS:BOOL=OFF" >"$build/CMakeCache.txt" ;;
    *" -DTORCHBOOK_BUILD_TESTS=ON"*) echo "TORCHBOOK_BUILD_TESTS:BOOL=ON" >"$build/CMakeCache.txt" ;;
    esac
    [ ! -e "$state/configure_fails" ] || { echo "CMake Error: a library is missing"; exit 1; }
    touch "$build/build.ninja"
    exit
fi
for step in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    echo "[$step/30] Building $step.cpp"
done
[ ! -e "$state/build_waits_for" ] || wait_for "$(cat "$state/build_waits_for")" "$state/../err"
echo "build ended" >>"$state/calls"
[ ! -e "$state/build_fails" ] || { echo "fatal error: torch.h"; exit 1; }
mkdir -p "build/$3/bin"
{
    echo '#!/bin/sh'
    echo 'echo "program in $PWD"; for argument in "$@"; do echo "<$argument>"; done'
    echo '(: >&9) 2>/dev/null && echo "has our descriptor"'
    echo 'exit ${PROGRAM_EXIT-0}'
} >"build/$3/bin/torchbook"
chmod 755 "build/$3/bin/torchbook"
FAKE
fake ctest <<'FAKE'
echo "ctest in $PWD"
for argument in "$@"; do
    echo "<$argument>"
done
exit "${PROGRAM_EXIT-0}"
FAKE
real_sleep=$(command -v sleep)
printf '#!/bin/sh\n[ -e "%s/time_flies" ] && set -- 0.05\nexec "%s" "$@"\n' "$state" "$real_sleep" >"$bin/sleep"

# wait_for TEXT FILE: until the file has the text; half a minute at most.
cat >"$bin/wait_for" <<FAKE
#!/bin/sh
tries=0
until grep -qsF -e "\$1" "\$2" || [ \$tries -eq 300 ]; do
    "$real_sleep" 0.1
    tries=\$((tries + 1))
done
FAKE
chmod 755 "$bin/sleep" "$bin/wait_for"

# ------------------------------------------------------------ means of checking

# Makes a fresh clone, on a Debian without any of the packages, for root.
fresh() {
    rm -rf "$work/clone" "$state" "$elsewhere"
    mkdir "$work/clone" "$state" "$elsewhere"
    cp "$script" "$work/clone/torchbook"
    touch -d '1 hour ago' "$work/clone/CMakePresets.json"
    echo 0 >"$state/uid"
    echo 3.25.1 >"$state/cmake_version"
    : >"$state/packages"
    : >"$state/calls"
}

# ready: a fresh clone in which a run has been through; what it called is forgotten.
ready() {
    fresh
    run run
    : >"$state/calls"
}

# run ARGUMENT...: the bootstrap, from another folder; leaves what it prints in the files out and err, and `code`.
# Who asks gets an answer, but is noticed.
echo yes >"$work/answers"
run() {
    (cd "$elsewhere" && PATH=$bin "$work/clone/torchbook" "$@" >"$work/out" 2>"$work/err" <"$work/answers")
    code=$?
}

# check WHAT COMMAND...: one check, which holds if the command succeeds.
check() {
    what=$1
    shift
    if "$@" >/dev/null 2>&1; then
        echo "ok      $what"
    else
        echo "FAILED  $what"
        tail -n 5 "$work/err" | sed 's/^/        stderr: /'
        failures=$((failures + 1))
    fi
}

not() { ! "$@"; }
exits() { [ "$code" -eq "$1" ]; }
says() { grep -qF -e "$1" "$work/err"; }
says_in_a_line() { [ "$(grep -cF -e "$1" "$work/err")" -eq 1 ]; }
says_nothing() { [ ! -s "$work/err" ]; }
says_only() { [ "$(cat "$work/err")" = "$1" ]; }
called() { grep -qE -e "$1" "$state/calls"; }
called_times() { [ "$(grep -cE -e "$1" "$state/calls")" -eq "$2" ]; }
prints() { [ "$(cat "$work/out")" = "$1" ]; }
prints_nothing() { [ ! -s "$work/out" ]; }
installs() {
    for_apt_get=$(sed -n 's/^apt-get .* install --no-install-recommends //p' "$state/calls")
    [ "$(printf '%s\n' $for_apt_get | sort)" = "$(printf '%s\n' $1 | sort)" ]
}

# In the order of the bootstrap.
reports='libpugixml-dev libsource-highlight-dev libsource-highlight-common libpng-dev libabsl-dev libkainjow-mustache-dev
libmd4c-html0-dev libmd4c-dev'
reports=$(echo $reports)
to_build="cmake g++ libcli11-dev libfmt-dev libopenblas0-pthread libtorch-dev ninja-build nlohmann-json3-dev $reports"
to_test='libgtest-dev python3-torch libblas3 python3-nbconvert python3-ipykernel chromium nodejs'
program_ran="program in $elsewhere
<run>"

# ------------------------------------------------------------ checks

fresh
run run
check "root: installs what the build needs" installs "$to_build"
check "root: updates the package lists first" test "$(sed -n 's/^apt-get .* \(update\|install\).*/\1/p' "$state/calls" |
    paste -sd ' ' -)" = "update install"
check "root: without recommended packages" called '^apt-get .*-y.* install .*--no-install-recommends'
check "root: without asking" not test -e "$state/may_ask"
check "root: without sudo" not called '^sudo'
check "root: says in one line what it installs and why" says_in_a_line "torchbook: installing 16 Debian packages: \
g++ cmake ninja-build libopenblas0-pthread libfmt-dev libcli11-dev nlohmann-json3-dev $reports libtorch-dev (LibTorch \
and what the build needs)"
check "configures the preset release, without tests" called '^cmake --preset release -DTORCHBOOK_BUILD_TESTS=OFF$'
check "builds the programs only" called '^cmake --build --preset release --target torchbook_programs$'
check "says that it configures" says "torchbook: configuring"
check "says how long building takes" says "torchbook: building (the first time takes about"
check "stdout is the program's alone" prints "$program_ran"
check "stderr has none of what tools print" not says "prints this"
check "exit code of the program: 0" exits 0

: >"$state/calls"
run run
check "second run: no package is installed" not called '^apt-get'
check "second run: no configure" not called '^cmake --preset'
check "second run: the build is brought up to date" called '^cmake --build'
check "second run: says nothing" says_nothing
check "second run: runs the program" prints "$program_ran"

run run 'a  b' '' '*' --x="\$HOME" "it's" '-R'
check "arguments are handed on verbatim" prints "$program_ran
<a  b>
<>
<*>
<--x=\$HOME>
<it's>
<-R>"
run
check "no arguments are none" prints "program in $elsewhere"
run --help
check "an option is handed on" prints "program in $elsewhere
<--help>"
export PROGRAM_EXIT=7
run check
unset PROGRAM_EXIT
check "exit code of the program: 7" exits 7

ln -s "$work/clone/torchbook" "$elsewhere/link"
(cd "$elsewhere" && PATH=$bin ./link run >"$work/out" 2>"$work/err")
check "works through a symbolic link" prints "$program_ran"
(cd "$work/clone" && PATH=$bin sh torchbook run >"$work/out" 2>"$work/err")
check "works as sh torchbook" prints "program in $work/clone
<run>"

fresh
for package in g++ cmake libtorch-dev; do
    echo "$package install ok installed" >>"$state/packages"
done
echo "libfmt-dev deinstall ok config-files" >>"$state/packages"
run run
check "installs only what is missing" installs \
    "libcli11-dev libfmt-dev libopenblas0-pthread ninja-build nlohmann-json3-dev $reports"

fresh
echo 1000 >"$state/uid"
touch "$state/sudo_works"
run run
check "user with sudo: installs through sudo -n" called '^sudo -n env .*apt-get .* install .*g\+\+'
check "user with sudo: never sudo without -n" not test -e "$state/may_ask"
check "user with sudo: runs the program" prints "$program_ran"

fresh
echo 1000 >"$state/uid"
echo "g++ install ok installed" >>"$state/packages"
run run
check "user without sudo: names in one line what is missing" says_only "torchbook: these Debian packages are missing, \
and only root or a sudo without password can install them: cmake ninja-build libopenblas0-pthread libfmt-dev \
libcli11-dev nlohmann-json3-dev $reports libtorch-dev
torchbook: configuring
torchbook: building (the first time takes about 2 minutes on 2 cores)"
check "user without sudo: calls no apt-get" not called '^apt-get'
check "user without sudo: goes on" prints "$program_ran"
run run
check "user without sudo: says it once, if it builds" says_nothing
run test
check "user without sudo: says what is missing for tests" says "$to_test npm"
run test
check "user without sudo: says so before every test" says "$to_test npm"

mv "$bin/sudo" "$bin/sudo.away"
fresh
echo 1000 >"$state/uid"
run run
check "no sudo at all: the same" says_in_a_line "packages are missing"
check "no sudo at all: goes on" prints "$program_ran"
mv "$bin/sudo.away" "$bin/sudo"

fresh
mv "$bin/apt-get" "$bin/apt-get.away"
run run
check "not a Debian: goes on" prints "$program_ran"
check "not a Debian: names no packages" not says "libtorch-dev"
touch "$state/build_fails"
run run
check "not a Debian: names what is needed when building fails" says_in_a_line "libtorch-dev"
mv "$bin/apt-get.away" "$bin/apt-get"

fresh
touch "$state/update_fails" "$state/time_flies"
run run
check "apt-get update fails: says so, and why" says_in_a_line "apt-get update failed; going on with the package lists \
that are here. E: no network"
check "apt-get update fails: tries again, then goes on" prints "$program_ran"
fresh
touch "$state/install_fails"
run run
check "apt-get install fails: shows why" says "E: no such package"
check "apt-get install fails: says so and goes on" says "apt-get could not install them all"
check "apt-get install fails: mends what was cut off, and tries again" called '^dpkg .*--configure -a'
check "apt-get install fails: runs the program" prints "$program_ran"

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
check "preset ci is tested" called "^ctest --preset ci$"
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
check "test: says how long building takes" says "torchbook: building (the first time takes about 5 minutes"
check "test: builds everything" called '^cmake --build --preset release$'
check "test: runs ctest in the repository root with the arguments" prints "ctest in $work/clone
<--preset>
<release>
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
check "second test: says nothing" says_nothing

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

# Time flies: a second of the bootstrap is 0.05 s.
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

# Ctrl-C is a signal to the whole group of processes, which a shell's background process is no leader of and ignores.
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

if [ "$failures" -gt 0 ]; then
    echo "$failures checks failed"
    exit 1
fi
echo "all checks passed"
