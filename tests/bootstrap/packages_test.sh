#!/bin/sh
# Tests what ./torchbook, the bootstrap, installs and what it says, without root or network; see machine.sh. Prints a
# line for each check, and the end of stderr if it fails. Exits with 1 if any check fails.
#
#   tests/bootstrap/packages_test.sh [the bootstrap to test]
#
# shellcheck disable=SC2016,SC2154  # the fakes' code must not be expanded; machine.sh sets variables

# shellcheck source=tests/bootstrap/machine.sh
. "$(dirname -- "$(readlink -f -- "$0")")/machine.sh"

for word in help --help -h; do
    fresh
    run "$word"
    check "$word: shows the commands" test "$(sed -n 's/^  \(run\|test\|help\) .*/\1/p' "$work/out" |
        paste -sd ' ' -)" = "run test help"
    check "$word: exit code 0" exits 0
    check "$word: neither installs nor builds" not test -s "$state/calls" -o -e "$work/clone/build"
done

fresh
run run
check "root: installs what the build needs" installs "$to_build"
check "root: updates the package lists first" test "$(sed -n 's/^apt-get .* \(update\|install\).*/\1/p' "$state/calls" |
    paste -sd ' ' -)" = "update install"
check "root: without recommended packages" called '^apt-get .*-y.* install .*--no-install-recommends'
check "root: without asking" not test -e "$state/may_ask"
check "root: without sudo" not called '^sudo'
check "root: says in one line what it installs and why" says_in_a_line "torchbook: installing 19 Debian packages: \
g++ cmake ninja-build libopenblas0-pthread libfmt-dev libcli11-dev nlohmann-json3-dev $reports libtorch-dev (LibTorch \
and what the build needs)"
check "configures the preset release, without tests" called '^cmake --preset release -DTORCHBOOK_BUILD_TESTS=OFF$'
check "builds the programs only" called '^cmake --build --preset release --target torchbook_programs$'
check "says that it configures" says "torchbook: configuring"
check "says that building takes long" says "torchbook: building (the first time takes a few minutes)"
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
run --version
check "an option is handed on" prints "program in $elsewhere
<--version>"
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
echo "libcli-dev install ok installed libother-dev,libcli11-dev(=2.1)" >>"$state/packages"
run run
check "what another package provides is not missing" not called ' libcli11-dev '

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
and only root or a sudo without a password can install them: cmake ninja-build libopenblas0-pthread libfmt-dev \
libcli11-dev nlohmann-json3-dev $reports libtorch-dev
torchbook: configuring
torchbook: building (the first time takes a few minutes)"
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
check "apt-get update fails: says so, and why" says_in_a_line "apt-get update failed; continuing with the existing \
package lists. E: no network"
check "apt-get update fails: tries again, then goes on" prints "$program_ran"
fresh
touch "$state/install_fails"
run run
check "apt-get install fails: shows why" says "E: no such package"
check "apt-get install fails: says so and goes on" says "apt-get could not install all of them"
check "apt-get install fails: mends what was cut off, and tries again" called '^dpkg .*--configure -a'
check "apt-get install fails: runs the program" prints "$program_ran"

finish
