#!/bin/sh
# ./torchbook matrix: builds torchbook with other releases of LibTorch, each in a Debian system of its own, and checks
# it there with every CPU capability, number of threads and BLAS. ./torchbook passes its arguments; see `usage` below.
set -eu

# The releases, by debootstrap's names. A new one is added here, and to docs/regression.md.
releases='bookworm trixie forky'
capabilities='default avx2 avx512'
threads='1 2'
blases='reference OpenBLAS'

usage() {
    cat <<USAGE
usage: ./torchbook matrix [RELEASE...]          build and check on these releases, or on all: $releases
       ./torchbook matrix --clean [RELEASE...]  remove the files that are kept between runs
       ./torchbook matrix --help

Prints a table: for each release, BLAS, number of threads and CPU capability, how many outputs equal their goldens.
Needs root, or a sudo without a password, and about 3 GB per release. Progress is on stderr.

The environment may set
  TORCHBOOK_MATRIX_DIR     the folder in which the Debian systems are kept (now $cache)
  TORCHBOOK_MATRIX_MIRROR  the Debian mirror to use instead of the one that this machine's apt uses

Exit codes: 0 all equal, 1 something differs, 2 wrong usage, or a release or a cell could not be set up.
USAGE
}

say() { printf 'torchbook matrix: %s\n' "$*" >&2; }

die() {
    say "$*"
    exit 2
}

# ------------------------------------------------------------ the command line

contains() { case " $1 " in *" $2 "*) ;; *) return 1 ;; esac; }

read_arguments() {
    action=check chosen=
    for argument in "$@"; do
        case $argument in
        --help | -h) usage && exit 0 ;;
        --clean) action=clean ;;
        *)
            contains "$releases" "$argument" ||
                die "'$argument' is neither --clean nor --help nor one of the releases $releases"
            contains "$chosen" "$argument" || chosen="$chosen $argument"
            ;;
        esac
    done
    chosen=${chosen:-$releases}
}

# become_root ARGUMENT...: returns if it is root, otherwise starts this script again through sudo.
become_root() {
    [ "$(id -u)" -ne 0 ] || return 0
    { command -v sudo && sudo -n true; } >/dev/null 2>&1 ||
        die "only root, or a sudo without a password, can make other Debian systems and enter them"
    exec sudo -n env TORCHBOOK_MATRIX_DIR="$cache" TORCHBOOK_MATRIX_MIRROR="${TORCHBOOK_MATRIX_MIRROR-}" sh "$0" "$@"
}

# ------------------------------------------------------------ the build in a root

# Copies the tree with its times, so that only changed files are compiled again.
copy_tree() {
    rm -rf "$root/torchbook/source" &&
        mkdir "$root/torchbook/source" &&
        tar -C "$tree" --exclude=./build --exclude=./.git -cf - . |
        tar -C "$root/torchbook/source" --no-same-owner -xf -
}

build() {
    in_root cmake -S /torchbook/source -B /torchbook/build -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 \
        -DTORCHBOOK_BUILD_TESTS=OFF -DTORCHBOOK_TOOLS=regression &&
        in_root cmake --build /torchbook/build --target torchbook-regression
}

# ------------------------------------------------------------ a cell

# possible CAPABILITY: returns whether this processor has it. LibTorch does not check and would die of an illegal
# instruction.
possible() {
    case $1 in
    default) needs= ;;
    avx2) needs='avx2 fma' ;;
    avx512) needs='avx2 fma avx512f avx512bw avx512dq avx512vl' ;;
    esac
    for flag in $needs; do
        contains "$flags" "$flag" || return 1
    done
}

# blas_folder BLAS: prints the folder in the root that has this BLAS as libblas.so.3.
blas_folder() {
    package=libblas3
    [ "$1" = reference ] || package=libopenblas0-pthread
    chroot "$root" dpkg-query -L "$package" | sed -n 's:/libblas\.so\.3$::p'
}

# json_value KEY: prints the first value of a key in the cell's report. The report has one key per line and escapes
# newlines and quotes in texts, so that no text looks like a key.
json_value() { sed -n "s/^ *\"$1\": \"\\{0,1\\}\\(.*[^\",]\\)\"\\{0,1\\},\\{0,1\\}\$/\\1/p" "$cell.check" | head -n 1; }

# count VERDICT: prints how often the cell's report has a verdict.
count() { grep -cE "^ *\"verdict\": \"$1\",?\$" "$cell.check" || :; }

# Returns whether the fingerprint in the cell's report is as requested. If it is not, the cell has failed.
as_asked() {
    set -- "$(json_value cpu_capability)" "$(json_value threads)" "$(json_value blas)"
    wrong=
    [ "$(printf '%s' "$1" | tr '[:upper:]' '[:lower:]')" = "$capability" ] || wrong="CPU capability $1"
    [ "$2" = "$thread_count" ] || wrong="$2 threads"
    case $3 in "$folder"/*) ;; *) wrong="the BLAS $3" ;; esac
    [ -z "$wrong" ] || { cell_failed "ran with $wrong instead" && return 1; }
}

# Checks a cell: sets `entry`, its text in the table, and counts it.
check_cell() {
    where="$release, $blas BLAS, $thread_count thread(s), $capability"
    cell=$home/cells/$blas-$thread_count-$capability
    if ! possible "$capability"; then
        entry="no $(printf '%s' "$capability" | sed 's/avx512/AVX-512/; s/avx/AVX/') here" skipped=$((skipped + 1))
        return
    fi
    set -- env ATEN_CPU_CAPABILITY="$capability" OMP_NUM_THREADS="$thread_count" LD_LIBRARY_PATH="$folder" \
        /torchbook/build/bin/torchbook-regression
    code=0
    in_root "$@" check --format json >"$cell.check" 2>"$cell.log" || code=$?
    [ "$code" -le 1 ] || { cell_failed "exit code $code: $(tail -n 1 "$cell.log")" && return; }
    ! as_asked || judge_cell
}

cell_failed() {
    say "$where: $1"
    entry=failed broken=$((broken + 1))
}

judge_cell() {
    equal=$(count equal)
    outputs=$(($(count '[^"]*') - $(count no-output)))
    entry=$equal/$outputs
    if [ "$outputs" -eq 0 ]; then
        cell_failed "$cell.check is not a report"
    elif [ "$code" -eq 0 ] && [ "$equal" -eq "$outputs" ]; then
        good=$((good + 1))
    else
        say "$where: $entry equal; the report is $cell.check"
        different=$((different + 1))
    fi
}

# ------------------------------------------------------------ the whole matrix

watch() {
    seconds=0
    while sleep 15 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
        seconds=$((seconds + 15))
        say "  $release: $doing, $seconds s"
    done
}

# stage NAME COMMAND...: runs a command with its output in the log. If it fails, says where the log is.
stage() {
    doing=$1
    shift
    say "$release: $doing"
    printf '== %s\n' "$doing" >>"$home/log"
    watch >/dev/null 9>&- &
    watcher=$!
    status=0
    "$@" >>"$home/log" 2>&1 </dev/null 9>&- || status=$?
    kill "$watcher" 2>/dev/null || :
    wait "$watcher" 2>/dev/null || :
    [ "$status" -eq 0 ] || {
        tail -n 5 "$home/log" >&2
        say "$release: $doing failed; the log is $home/log"
    }
    return "$status"
}

set_up() {
    : >"$home/log"
    [ -e "$root/torchbook" ] || stage 'making a Debian' make_root || return
    has_packages || stage 'installing packages' install_packages || return
    doing='copying the tree'
    copy_tree || return
    stage 'building' build
}

# row CELL...: adds a row to the table.
row() { table="$table$(printf '%s\t' "$@")
"; }

check_release() {
    home=$cache/$release root=$home/root
    mkdir -p "$home/cells"
    if ! set_up; then
        broken=$((broken + 1))
        row "$release" '' '' '' "$doing failed"
        return
    fi
    # shellcheck disable=SC2086  # one argument per package
    versions=$(installed_versions $packages)
    libtorch=$(printf '%s\n' "$versions" | sed -n 's/^libtorch-dev \([^+-]*\).*/\1/p')
    say "$release: checking, with $(printf '%s\n' "$versions" | paste -sd , - | sed 's/,/, /g')"
    for blas in $blases; do
        folder=$(blas_folder "$blas")
        for thread_count in $threads; do
            say "  $release: $blas BLAS, $thread_count thread(s)"
            set -- "$release" "$libtorch" "$blas" "$thread_count"
            for capability in $capabilities; do
                check_cell
                set -- "$@" "$entry"
            done
            row "$@"
        done
    done
}

# Prints the table as aligned Markdown.
print_table() {
    printf '%s' "$table" | awk -F '\t' '
        { for (i = 1; i < NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) }
          if (NF - 1 > columns) columns = NF - 1 }
        function line(row, i, text) {
            text = "|"
            for (i = 1; i <= columns; i++) text = text sprintf(" %-" width[i] "s |", cell[row, i])
            return text
        }
        END { for (row = 1; row <= NR; row++) {
                  print line(row)
                  if (row == 1) { rule = line(row); gsub(/[^|]/, "-", rule); print rule } } }'
}

check_all() {
    install_debootstrap
    flags=$(lscpu | sed -n 's/^Flags: *//p')
    good=0 different=0 broken=0 skipped=0 table='' start=$(date +%s)
    # shellcheck disable=SC2086  # one column per capability
    row release LibTorch BLAS threads $capabilities
    for release in $chosen; do
        check_release
    done
    print_table
    say "$good cells equal, $different different, $skipped not possible here, $broken failed" \
        "($(($(date +%s) - start)) s; the complete output is in $cache)"
    [ "$broken" -eq 0 ] || exit 2
    [ "$different" -eq 0 ] || exit 1
}

# ------------------------------------------------------------ main

here=$(dirname -- "$(readlink -f -- "$0")")
tree=$here/../..
packages="libtorch-dev $(awk '!/^#/ && $1 !~ /^test-/ { print $2 }' "$tree/cmake/debian-packages")"
cache=${TORCHBOOK_MATRIX_DIR:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/torchbook/matrix}
case $cache in /*) ;; *) cache=$PWD/$cache ;; esac

# shellcheck source=tests/matrix/debians.sh
. "$here/debians.sh"

read_arguments "$@"
if [ "$action" = clean ]; then
    [ ! -e "$cache" ] || become_root "$@"
    clean
    exit
fi
become_root "$@"
open_cache
check_all
