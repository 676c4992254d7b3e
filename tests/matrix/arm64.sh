#!/bin/sh
# tests/matrix/arm64.sh: builds the core, the training library and the suite for arm64 with Debian's cross compiler, against the
# LibTorch of an arm64 Debian, and checks the cells there under emulation. Prints what `doctor` and the check say. Needs root,
# g++-aarch64-linux-gnu and qemu-user-static. The Debian is kept where ./torchbook matrix keeps its own; its --clean knows
# nothing of this one. Takes half an hour on two cores, most of it for the Debian and for compiling.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
tree=$(readlink -f -- "$here/../..")
cache=$(readlink -m -- "${TORCHBOOK_MATRIX_DIR:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/torchbook/matrix}")
release=bookworm home=$cache/arm64 root=$cache/arm64/root architecture=arm64 triplet=aarch64-linux-gnu
packages="libtorch-dev $(awk '$1 == "core" { print $2 }' "$tree/cmake/debian-packages")"

say() { printf 'arm64: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 2
}
# shellcheck source=tests/matrix/debians.sh
. "$here/debians.sh"

# Has the kernel start programs of arm64 by qemu, also in a root that does not contain it.
register_qemu() {
    formats=/proc/sys/fs/binfmt_misc
    [ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats
    [ -e $formats/qemu-aarch64 ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >$formats/register
}

# Debian's alternatives are absolute links, which name files of this machine outside of the root.
make_links_relative() {
    find "$root/etc/alternatives" "$root/usr/lib/$triplet" -type l -lname '/*' | while read -r link; do
        ln -sfrn -- "$root$(readlink -- "$link")" "$link"
    done
}

build() {
    cmake -S "$tree" -B "$home/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 \
        -DTORCHBOOK_BUILD_TESTS=OFF -DTORCHBOOK_TOOLS=regression -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
        -DCMAKE_CXX_COMPILER=$triplet-g++ -DCMAKE_LIBRARY_ARCHITECTURE=$triplet -DCMAKE_SYSROOT="$root" \
        -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
        -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER -DCMAKE_CROSSCOMPILING_EMULATOR="qemu-aarch64-static;-L;$root" >&2 &&
        cmake --build "$home/build" --target torchbook torchbook-regression >&2
}

[ "$(id -u)" -eq 0 ] || die "needs root"
{ command -v qemu-aarch64-static && command -v $triplet-g++; } >/dev/null ||
    die "needs the packages g++-aarch64-linux-gnu and qemu-user-static"
open_cache && mkdir -p "$home"
register_qemu
[ -e "$root/torchbook" ] || { install_debootstrap && make_root >&2; } || die "no Debian for arm64 could be made"
has_packages || install_packages >&2 || die "the packages cannot be installed"
make_links_relative
build || die "the build failed"
cp "$home/build/bin/torchbook" "$home/build/bin/torchbook-regression" "$root/torchbook/"
in_root /torchbook/torchbook doctor
in_root /torchbook/torchbook regression check
