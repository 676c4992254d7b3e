# Fakes the machine on which the tests run ./torchbook, without root or network: a folder of fake tools is the whole
# PATH. The tests source it with the bootstrap to test as an argument, or without one.
#
# shellcheck shell=sh disable=SC2016,SC2034,SC2086,SC2154  # code of fakes; variables of the tests; lists to be split
set -u

tests=$(dirname -- "$(readlink -f -- "$0")")/..
script=$(readlink -f -- "${1:-$tests/../torchbook}")
work=$(mktemp -d "${TMPDIR:-/tmp}/bootstrap_test.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/support/checks.sh
. "$tests/support/checks.sh"
real_setsid=$(command -v setsid)
unset TORCHBOOK_PRESET CMAKE_PREFIX_PATH DEBIAN_FRONTEND NINJA_STATUS

# ------------------------------------------------------------ fakes

elsewhere=$work/else\ where log=$work/clone/build/release-setup.log
real awk cat chmod df dirname env find flock grep head mkdir paste readlink rm sed sh sort tail touch tr

fake id <<'FAKE'
cat "$state/uid"
FAKE
fake dpkg-query <<'FAKE'
awk '{ print ($2 == "install" ? "ii " : "rc ") $1 ", " $5 }' "$state/packages"
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
fake nproc <<'FAKE'
echo 6
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

# wait_for TEXT FILE: waits until the file contains the text, at most half a minute.
cat >"$bin/wait_for" <<FAKE
#!/bin/sh
tries=0
until grep -qsF -e "\$1" "\$2" || [ \$tries -eq 300 ]; do
    "$real_sleep" 0.1
    tries=\$((tries + 1))
done
FAKE
chmod 755 "$bin/sleep" "$bin/wait_for"

# ------------------------------------------------------------ helpers of the checks

# Makes a fresh clone, for root, on a Debian without any of the packages.
fresh() {
    rm -rf "$work/clone" "$state" "$elsewhere"
    mkdir -p "$work/clone/cmake" "$state" "$elsewhere"
    cp "$script" "$work/clone/torchbook"
    cp "$(dirname -- "$script")/cmake/debian-packages" "$work/clone/cmake/"
    touch -d '1 hour ago' "$work/clone/CMakePresets.json"
    echo 0 >"$state/uid"
    echo 3.25.1 >"$state/cmake_version"
    : >"$state/packages"
    : >"$state/calls"
}

# ready: makes a fresh clone after a first run, and forgets the calls of that run.
ready() {
    fresh
    run run
    : >"$state/calls"
}

# run ARGUMENT...: runs the bootstrap from another folder. Keeps its output in the files out and err, and sets `code`. A
# tool that asks gets an answer, but the fakes record it.
echo yes >"$work/answers"
run() {
    (cd "$elsewhere" && PATH=$bin "$work/clone/torchbook" "$@" >"$work/out" 2>"$work/err" <"$work/answers")
    code=$?
}

says_in_a_line() { [ "$(grep -cF -e "$1" "$work/err")" -eq 1 ]; }
says_only() { [ "$(cat "$work/err")" = "$1" ]; }
called_times() { [ "$(grep -cE -e "$1" "$state/calls")" -eq "$2" ]; }
installs() {
    for_apt_get=$(sed -n 's/^apt-get .* install --no-install-recommends //p' "$state/calls")
    [ "$(printf '%s\n' $for_apt_get | sort)" = "$(printf '%s\n' $1 | sort)" ]
}

# The packages in the order of the bootstrap.
reports='libpugixml-dev libsource-highlight-dev libsource-highlight-common libpng-dev libxxhash-dev libdw-dev libabsl-dev libhwy-dev libkainjow-mustache-dev
libmd4c-html0-dev libmd4c-dev'
reports=$(echo $reports)
to_build="cmake g++ libcli11-dev libfmt-dev libopenblas0-pthread libtorch-dev ninja-build nlohmann-json3-dev $reports"
to_test='libgtest-dev python3-torch libblas3 python3-nbconvert python3-ipykernel chromium-headless-shell nodejs doxygen pkgconf python3-xxhash'
program_ran="program in $elsewhere
<run>"
