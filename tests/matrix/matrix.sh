#!/bin/sh
# ./torchbook matrix: builds torchbook on other releases of LibTorch, each in a Debian of its own, and checks it there
# with every CPU capability, number of threads and BLAS. Takes its arguments from ./torchbook; see `usage` below.
set -eu

# A line a release: what debootstrap calls it. A new one is added here, and shown in docs/compatibility.md.
releases='bookworm trixie forky'
capabilities='default avx2 avx512'
threads='1 2'
blases='reference OpenBLAS'

usage() {
    cat <<USAGE
usage: ./torchbook matrix [RELEASE...]          build and check on these releases, or on all: $releases
       ./torchbook matrix --clean [RELEASE...]  remove what is kept of them between runs
       ./torchbook matrix --help

Prints a table: what equals its golden, of all outputs, for each release, BLAS, number of threads and CPU capability.
Needs root, or a sudo that asks nothing, and about 3 GB a release. Progress is on stderr.

The environment may set
  TORCHBOOK_MATRIX_DIR     where the Debians are kept (now $cache)
  TORCHBOOK_MATRIX_MIRROR  the Debian mirror to take them from, instead of the one that this machine's apt uses

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

# become_root ARGUMENT...: returns as root, or starts this script again by sudo.
become_root() {
    [ "$(id -u)" -ne 0 ] || return 0
    { command -v sudo && sudo -n true; } >/dev/null 2>&1 ||
        die "only root, or a sudo without password, can make other Debians and enter them"
    exec sudo -n env TORCHBOOK_MATRIX_DIR="$cache" TORCHBOOK_MATRIX_MIRROR="${TORCHBOOK_MATRIX_MIRROR-}" sh "$0" "$@"
}

# ------------------------------------------------------------ the build there

# The tree as it is here, with its times, so that only what has changed is compiled again.
copy_tree() {
    rm -rf "$root/torchbook/source" &&
        mkdir "$root/torchbook/source" &&
        tar -C "$tree" --exclude=./build --exclude=./.git -cf - . |
        tar -C "$root/torchbook/source" --no-same-owner -xf -
}

build() {
    in_root cmake -S /torchbook/source -B /torchbook/build -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DTORCHBOOK_BUILD_TESTS=OFF &&
        in_root cmake --build /torchbook/build --target torchbook_programs
}

# ------------------------------------------------------------ a cell

# possible CAPABILITY: whether this processor has it. LibTorch does not ask: it would die of an illegal instruction.
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

# blas_folder BLAS: the folder in the root that has it as libblas.so.3.
blas_folder() {
    package=libblas3
    [ "$1" = reference ] || package=libopenblas0-pthread
    chroot "$root" dpkg-query -L "$package" | sed -n 's:/libblas\.so\.3$::p'
}

# json_value KEY: the first value of that key in the cell's report. It has a key a line, and a newline or a quote within a
# text is escaped, so that no text can be taken for a key.
json_value() { sed -n "s/^ *\"$1\": \"\\{0,1\\}\\(.*[^\",]\\)\"\\{0,1\\},\\{0,1\\}\$/\\1/p" "$cell.check" | head -n 1; }

# count VERDICT: in the cell's report.
count() { grep -cE "^ *\"verdict\": \"$1\",?\$" "$cell.check" || :; }

# Whether the fingerprint in the cell's report is that of the cell; if not, the cell has failed.
as_asked() {
    set -- "$(json_value cpu_capability)" "$(json_value threads)" "$(json_value blas)"
    wrong=
    [ "$(printf '%s' "$1" | tr '[:upper:]' '[:lower:]')" = "$capability" ] || wrong="CPU capability $1"
    [ "$2" = "$thread_count" ] || wrong="$2 threads"
    case $3 in "$folder"/*) ;; *) wrong="the BLAS $3" ;; esac
    [ -z "$wrong" ] || { cell_failed "ran with $wrong instead" && return 1; }
}

# Sets `entry`, which stands in the table, and counts.
check_cell() {
    where="$release, $blas BLAS, $thread_count thread(s), $capability"
    cell=$home/cells/$blas-$thread_count-$capability
    if ! possible "$capability"; then
        entry="no $(printf '%s' "$capability" | sed 's/avx512/AVX-512/; s/avx/AVX/') here" skipped=$((skipped + 1))
        return
    fi
    set -- env ATEN_CPU_CAPABILITY="$capability" OMP_NUM_THREADS="$thread_count" LD_LIBRARY_PATH="$folder" \
        /torchbook/build/bin/torchbook
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
        cell_failed "$cell.check is no report"
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

# stage NAME COMMAND...: runs it with its output in the log; says where that is if it fails.
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
    # shellcheck disable=SC2086  # one argument a package
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

# As Markdown, aligned.
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
    # shellcheck disable=SC2086  # a column each
    row release LibTorch BLAS threads $capabilities
    for release in $chosen; do
        check_release
    done
    print_table
    say "$good cells equal, $different different, $skipped not possible here, $broken failed" \
        "($(($(date +%s) - start)) s; all that was printed is in $cache)"
    [ "$broken" -eq 0 ] || exit 2
    [ "$different" -eq 0 ] || exit 1
}

# ------------------------------------------------------------ the order of it all

here=$(dirname -- "$(readlink -f -- "$0")")
tree=$here/../..
packages="libtorch-dev libblas3 $(sed 's/#.*//' "$tree/cmake/debian-packages")"
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
