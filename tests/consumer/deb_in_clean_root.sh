#!/bin/sh
# Packs pyrepr as libtorchbook-dev, installs it with apt in a clean root of this machine's Debian release, and builds
# and runs the project in this folder there:
#
#   deb_in_clean_root.sh         makes the root with debootstrap
#   deb_in_clean_root.sh ROOT    copies an existing root
#
# It needs root, the packages that build pyrepr, and python3-torch, which computes the expected output. It uses a few
# gigabytes of TMPDIR (/var/tmp by default) and removes them, but keeps the logs if something fails.
#
# shellcheck disable=SC2016  # apt-get and the shell in the root expand these variables
set -eu

if [ "$(id -u)" -ne 0 ] || [ $# -gt 1 ] || ! [ -d "${1-/}" ]; then
    echo "usage, as root: $0 [ROOT], where ROOT is an existing folder" >&2
    exit 2
fi

here=$(dirname -- "$(readlink -f -- "$0")")
source=$here/../..
work=$(mktemp -d "${TMPDIR:-/var/tmp}/torchbook-deb.XXXXXX")
root=$work/root
stage=

say() { printf '%s\n' "deb_in_clean_root: $*"; }

clean_up() {
    status=$?
    trap - EXIT
    trap '' HUP INT TERM
    # Deleting a root that is still mounted would delete through its mounts.
    if mountpoint -q "$root/proc" && ! umount "$root/proc"; then
        say "cannot unmount $root/proc; $work stays"
        exit 1
    fi
    rm -rf --one-file-system "$root" "$work/build"
    if [ "$status" -eq 0 ]; then
        rm -rf "$work"
    else
        say "$stage failed; the logs are in $work"
    fi
    exit "$status"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# run_stage NAME COMMAND...: runs a command. If it fails, shows the end of its output.
run_stage() {
    stage=$1
    shift
    say "$stage"
    "$@" >"$work/log" 2>&1 </dev/null || {
        status=$?
        tail -n 30 "$work/log"
        return "$status"
    }
}

pack() {
    cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
        -DTORCHBOOK_PYREPR_ONLY=ON &&
        cmake --build "$work/build" &&
        (cd "$work/build" && cpack -G DEB)
}

# Prints the mirror from which apt on this machine takes a release.
mirror_of() {
    apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite="$1" '$1 == suite { print $2; exit }'
}

make_root() {
    # shellcheck disable=SC1091  # a file of the system
    suite=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    debootstrap --variant=minbase "$suite" "$root" "$(mirror_of "$suite")"
}

# Mounts /proc and copies the name resolution, which apt and the programs need.
enter_root() { mount -t proc proc "$root/proc" && cp /etc/resolv.conf "$root/etc/resolv.conf"; }

in_root() {
    chroot "$root" env -u TMPDIR LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

install_package() {
    cp "$work"/build/libtorchbook-dev_*.deb "$root/tmp/" &&
        in_root apt-get -q update &&
        in_root sh -c 'apt-get -q -y --no-install-recommends install /tmp/libtorchbook-dev_*.deb g++ cmake ninja-build'
}

build_consumer() {
    mkdir "$root/tmp/consumer" &&
        cp "$here/CMakeLists.txt" "$here/main.cpp" "$root/tmp/consumer/" &&
        in_root cmake -S /tmp/consumer -B /tmp/consumer/build -G Ninja -DWAY=package &&
        in_root cmake --build /tmp/consumer/build
}

compare() {
    /usr/bin/python3 "$here/main.py" >"$work/expected" &&
        in_root /tmp/consumer/build/consumer >"$work/printed" &&
        diff "$work/expected" "$work/printed"
}

run_stage "packing" pack
ls -l "$work"/build/*.deb
if [ $# -gt 0 ]; then
    run_stage "copying $1" cp -a --one-file-system -- "$1" "$root"
else
    run_stage "debootstrap" make_root
fi
run_stage "entering the root" enter_root
run_stage "installing the package with apt" install_package
run_stage "building a project there" build_consumer
run_stage "comparing what it prints with what Python prints" compare
say "the package works in a clean root"
