#!/bin/sh
# Packs torchbook as libtorchbook-dev and torchbook, and installs both with apt in a clean root of this machine's Debian
# release. There it builds and runs the project in this folder, starts a project with `torchbook new`, does what the
# README and the CI file of that project say, removes the packages, and looks that nothing is left:
#
#   deb_in_clean_root.sh         makes the root with debootstrap
#   deb_in_clean_root.sh ROOT    copies an existing root
#
# It needs root, the packages that build torchbook, and python3-torch, which computes the expected output. It uses some
# gigabytes of TMPDIR (/var/tmp by default) and removes them, but keeps the logs if something fails.
# TORCHBOOK_MATRIX_MIRROR names a mirror, if apt on this machine knows none.
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
        -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DTORCHBOOK_BUILD_TESTS=OFF &&
        cmake --build "$work/build" --target torchbook_programs torchbook_manual torchbook_pyrepr_module &&
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
    debootstrap --variant=minbase "$suite" "$root" "${TORCHBOOK_MATRIX_MIRROR:-$(mirror_of "$suite")}"
}

# Mounts /proc and copies the name resolution, which apt and the programs need.
enter_root() { mount -t proc proc "$root/proc" && cp /etc/resolv.conf "$root/etc/resolv.conf"; }

in_root() {
    chroot "$root" env -u TMPDIR LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

install_packages() {
    cp "$work"/build/*.deb "$root/tmp/" &&
        in_root apt-get -q update &&
        in_root sh -c 'apt-get -q -y --no-install-recommends install /tmp/*.deb g++ cmake ninja-build python3-torch'
}

build_consumer() {
    mkdir "$root/tmp/consumer" &&
        cp "$here/CMakeLists.txt" "$here/main.cpp" "$here/module.cpp" "$root/tmp/consumer/" &&
        in_root cmake -S /tmp/consumer -B /tmp/consumer/build -G Ninja -DWAY=package &&
        in_root cmake --build /tmp/consumer/build
}

compare() {
    /usr/bin/python3 "$here/main.py" >"$work/expected" &&
        in_root /tmp/consumer/build/consumer >"$work/printed" &&
        diff "$work/expected" "$work/printed"
}

# Does what the README of a new project says, and what its CI file does.
use_project() {
    in_root torchbook new /tmp/books &&
        mkdir "$root/tmp/books/packages" && cp "$work"/build/*.deb "$root/tmp/books/packages/" &&
        sed -n '/^```sh$/,/^```$/{/^```/!p}' "$root/tmp/books/README.md" >"$root/tmp/readme.sh" &&
        sed -n '/run: |$/,/^ *- /{/^          /s/^ *//p}' "$root/tmp/books/.github/workflows/ci.yml" >"$root/tmp/ci.sh" &&
        [ "$(wc -l <"$root/tmp/readme.sh")" -ge 8 ] && [ "$(wc -l <"$root/tmp/ci.sh")" -ge 6 ] &&
        in_root sh -c 'cd /tmp/books && sh -eux /tmp/readme.sh && sh -eux /tmp/ci.sh' &&
        in_root sh -c '/tmp/books/build/books | grep "1 notebook, 4 cells, 3 outputs: 3 equal"'
}

# Runs the program, and looks for what belongs to it.
use_program() {
    in_root torchbook check &&
        in_root bash -c '. /usr/share/bash-completion/completions/torchbook && COMP_WORDS=(torchbook doc) COMP_CWORD=1 &&
            _torchbook && [ "${COMPREPLY[*]}" = doctor ]' &&
        in_root sh -c 'cd /usr/share && ls man/man1/torchbook.1 zsh/vendor-completions/_torchbook \
            fish/vendor_completions.d/torchbook.fish doc/torchbook/copyright doc/libtorchbook-dev/copyright'
}

remove_packages() {
    in_root sh -c 'dpkg -L torchbook libtorchbook-dev | sort -u >/tmp/installed && [ "$(wc -l </tmp/installed)" -gt 60 ] &&
        apt-get -q -y purge torchbook libtorchbook-dev &&
        find / -xdev -path /tmp -prune -o -path /proc -prune -o -name "*torchbook*" -print >/tmp/left &&
        while read -r path; do [ -d "$path" ] || [ ! -e "$path" ] || echo "$path"; done </tmp/installed >>/tmp/left &&
        cat /tmp/left && [ ! -s /tmp/left ]'
}

run_stage "packing" pack
ls -l "$work"/build/*.deb
if [ $# -gt 0 ]; then
    run_stage "copying $1" cp -a --one-file-system -- "$1" "$root"
else
    run_stage "debootstrap" make_root
fi
run_stage "entering the root" enter_root
run_stage "installing the packages with apt" install_packages
run_stage "building a project with pyrepr there" build_consumer
run_stage "comparing what it prints with what Python prints" compare
run_stage "using the program, its manual and its completions" use_program
run_stage "using a project that torchbook new makes" use_project
run_stage "removing the packages" remove_packages
say "the packages work in a clean root, and nothing of them is left"
