#!/bin/sh
# Tests ./torchbook, the bootstrap, without root, network or a build: fake tools are its whole PATH. Prints a line for each
# check, and the end of stderr if it fails. Exits with 1 if any check fails.
#
# shellcheck disable=SC2016,SC2154  # the fakes' code must not be expanded; checks.sh sets variables
set -u

tests=$(dirname -- "$(readlink -f -- "$0")")/..
work=$(mktemp -d "${TMPDIR:-/tmp}/bootstrap_test.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/support/checks.sh
. "$tests/support/checks.sh"
unset TORCHBOOK_PRESET CMAKE_PREFIX_PATH
clone=$work/clone

real awk cat chmod df dirname env find flock grep head mkdir paste readlink rm sed sh sleep sort tail touch tr
fake id <<'FAKE'
cat "$state/user"
FAKE
fake dpkg-query <<'FAKE'
cat "$state/packages"
FAKE
fake apt-get </dev/null
fake cmake <<'FAKE'
[ "$1" != --version ] || { echo "cmake version $(cat "$state/cmake_version")"; exit; }
[ ! -e "$state/fails" ] || { echo "CMake Error: a library is missing"; exit 1; }
[ "$1" != --preset ] || { mkdir -p "build/$2/bin" && touch "build/$2/build.ninja"; exit; }
{
    echo '#!/bin/sh'
    echo 'for argument in "$@"; do echo "<$argument>"; done; exit 7'
} >"build/$3/bin/torchbook"
chmod 755 "build/$3/bin/torchbook"
FAKE
fake nproc <<'FAKE'
echo 6
FAKE
fake ctest <<'FAKE'
echo "ctest in $PWD: $*"
exit 8
FAKE

# Makes a fresh clone, for a user without sudo, on a Debian that lacks one package that the build needs.
fresh() {
    rm -rf "$clone" "$state"
    mkdir -p "$clone/cmake" "$state"
    cp "$tests/../torchbook" "$clone/"
    cp "$tests/../cmake/debian-packages" "$clone/cmake/"
    touch -d '1 hour ago' "$clone/CMakePresets.json"
    : >"$state/calls"
    echo 3.25.1 >"$state/cmake_version"
    echo 1000 >"$state/user"
    for package in $(awk '$1 == "core" && $2 != "libfmt-dev" { print $2 }' "$clone/cmake/debian-packages") libtorch-dev; do
        echo "ii $package, "
    done >"$state/packages"
}

run() {
    (cd "$work" && PATH=$bin "$clone/torchbook" "$@" >"$work/out" 2>"$work/err" </dev/null)
    code=$?
}

for word in help --help; do
    fresh
    run "$word"
    check "$word: shows the commands" grep -q '^  run ' "$work/out"
    check "$word: exit code 0" exits 0
    check "$word: neither installs nor builds" not test -s "$state/calls" -o -e "$clone/build"
done

fresh
run run 'a  b' '' '*' --x='$HOME'
check "first run: the arguments reach the program verbatim" prints '<run>
<a  b>
<>
<*>
<--x=$HOME>'
check "first run: the exit code is the program's" exits 7
check "first run: configures without tests" called '^cmake --preset release -DTORCHBOOK_BUILD_TESTS=OFF -DTORCHBOOK_TOOLS=$'
check "first run: builds only the programs" called '^cmake --build --preset release --target torchbook_programs$'
check "a missing package is named" says "only root or a sudo without a password can install them: libfmt-dev"
: >"$state/calls"
run run
check "second run: builds what changed" called '^cmake --build'
check "second run: does not configure" not called '^cmake --preset'
check "second run: says nothing" says_nothing

export CMAKE_PREFIX_PATH=/opt/libtorch
run run
check "another CMAKE_PREFIX_PATH: configures afresh" called '^cmake --preset release .*--fresh$'
unset CMAKE_PREFIX_PATH

fresh
TORCHBOOK_PRESET=ci run test
check "test: configures with tests, without tools" called '^cmake --preset ci -DTORCHBOOK_BUILD_TESTS=ON -DTORCHBOOK_TOOLS=$'
check "test: builds the tests of the core" called '^cmake --build --preset ci --target torchbook_programs tests/all examples/all$'
check "test: names what its tests need" says "libfmt-dev gdb libgtest-dev"
check "test: needs no browser" not says chromium
check "test: runs the tests of the core, all cells in one process" prints "ctest in $clone: --preset ci -j 6 -L ^core\$ -LE ^cell\$"
check "test: the exit code is ctest's" exits 8
run test -R 'one test'
check "test: hands its arguments over" prints "ctest in $clone: --preset release -j 6 -L ^core\$ -R one test"

fresh
run test site
check "test site: builds the tool, what it needs, and its tests" called \
    '^cmake --build --preset release --target torchbook_programs torchbook-site tests/tools/site/all$'
check "test site: configures both tools" called '^cmake --preset release -DTORCHBOOK_BUILD_TESTS=ON -DTORCHBOOK_TOOLS=site;part$'
check "test site: needs a browser" says chromium-headless-shell
check "test site: runs its tests" prints "ctest in $clone: --preset release -j 6 -L ^site\$ -LE ^cell\$"

fresh
run site lesson.ipynb -o pages
check "site of a notebook file: builds both tools" called \
    '^cmake --build --preset release --target torchbook_programs torchbook-site torchbook-import$'
check "site of a notebook file: configures them" called '^cmake --preset release .* -DTORCHBOOK_TOOLS=import;site;part$'

fresh
run test all
check "test all: configures all tools" called '^cmake --preset release .* -DTORCHBOOK_TOOLS=import;part;seed;site;regression$'
check "test all: builds everything" called '^cmake --build --preset release$'
check "test all: runs every test" prints "ctest in $clone: --preset release -j 6 -LE ^cell\$"

fresh
run test nothing
check "test nothing: exit code 2" exits 2
check "test nothing: names the parts in one line" says "torchbook: test: there is no part 'nothing'; it can be core (the \
default), import, part, site, seed, regression or all"
check "test nothing: does nothing" not test -s "$state/calls" -o -e "$clone/build"

fresh
echo 0 >"$state/user"
run run
check "root: says what is installed, why, and how to be only told" says "installing these Debian packages (LibTorch and what the \
build needs; ./torchbook --no-install only names them): libfmt-dev"
check "root: installs" called '^apt-get .*install --no-install-recommends libfmt-dev$'
check "root: repairs nothing else" not called 'fix-broken|configure -a'
fresh
echo 0 >"$state/user"
run --no-install run
check "--no-install: names what is missing, and why" says \
    "torchbook: --no-install: these Debian packages are missing (LibTorch and what the build needs): libfmt-dev"
check "--no-install: installs nothing" not called '^apt-get'
check "--no-install: builds and runs" exits 7
run run --no-install
check "--no-install after the command: exit code 2" exits 2
check "--no-install after the command: says what would be right" says "torchbook: --no-install comes first: ./torchbook --no-install run"

fresh
TORCHBOOK_PRESET=fast run run
check "unknown preset: exit code 2" exits 2
check "unknown preset: says what it can be" says \
    "torchbook: TORCHBOOK_PRESET is 'fast'; it can be release, debug, asan or ci"
check "unknown preset: does nothing" not test -s "$state/calls"

fresh
touch "$state/fails"
run run
check "configuring fails: exit code 2" exits 2
check "configuring fails: shows why" says "CMake Error: a library is missing"
check "configuring fails: names the log" says "configuring failed; the whole log is $clone/build/release-setup.log"
check "configuring fails: names the missing package" says "torchbook: these Debian packages are not installed: libfmt-dev"
check "configuring fails: nothing on stdout" prints_nothing
echo 3.24.4 >"$state/cmake_version"
run run
check "CMake 3.24: says what is needed" says "CMake 3.25 or newer is needed"

finish
