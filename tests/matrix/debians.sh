#!/bin/sh
# The Debians of ./torchbook matrix: where they are kept, how they are made, entered and removed. Sourced by matrix.sh,
# which sets `cache`, `chosen`, `packages`, and for one of them `release` and `root`.
#
# A Debian is a folder, CACHE/RELEASE/root, made by debootstrap. What is mounted into it is mounted in a mount namespace
# of the command that needs it: nobody else ever sees it, and it is gone with that command, however that ends.
#
# shellcheck disable=SC2016,SC2154  # what a shell in the root expands is left to it; the variables are matrix.sh's

# ------------------------------------------------------------ the cache

tag="Signature: 8a477f597d28d172789f06886806bc55" # says to programs that save files that this is a cache
owner="# made by ./torchbook matrix"

is_ours() { grep -qsxF -e "$owner" "$cache/CACHEDIR.TAG"; }

open_cache() {
    if ! is_ours; then
        [ -z "$(ls -A "$cache" 2>/dev/null)" ] || die "$cache has other things in it; set TORCHBOOK_MATRIX_DIR"
        { mkdir -p "$cache" && printf '%s\n%s\n' "$tag" "$owner" >"$cache/CACHEDIR.TAG"; } ||
            die "cannot write in $cache"
    fi
    lock_cache
}

lock_cache() {
    exec 9>>"$cache/lock"
    flock -n 9 || die "another ./torchbook matrix is at work in $cache"
}

# mounted_in FOLDER: what is mounted there, or below.
mounted_in() {
    findmnt --noheadings --list --output TARGET |
        awk -v folder="$1" '$0 == folder || index($0, folder "/") == 1'
}

# remove FOLDER: removes it, unless something is mounted there that would be emptied with it.
remove() {
    mounted=$(mounted_in "$(readlink -m -- "$1")" | paste -sd ' ' -)
    if [ "$mounted" ]; then
        say "$1 is not removed, because something is mounted there; unmount it first: $mounted"
        return 1
    fi
    rm -rf --one-file-system -- "$1"
}

# Removes what is kept, if it is ours.
clean() {
    [ -e "$cache" ] || return 0
    is_ours || die "$cache is not of ./torchbook matrix; nothing is removed"
    lock_cache
    for release in $chosen; do
        remove "$cache/$release" || exit 2
    done
    rm -f -- "$cache/lock" "$cache/debootstrap.log"
    if [ "$(ls -A "$cache")" = CACHEDIR.TAG ]; then
        rm -f -- "$cache/CACHEDIR.TAG" && rmdir -- "$cache"
    fi
}

# ------------------------------------------------------------ a Debian

# The mirror that this machine's apt takes its own Debian from, whatever the format of its sources.
configured_mirror() {
    # shellcheck disable=SC1091  # a file of the system
    own=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME-}")
    apt-get indextargets --no-release-info --format '$(RELEASE) $(REPO_URI)' 'Component: main' 2>/dev/null |
        awk -v own="$own" '$2 ~ /\/debian\/?$/ { if ($1 == own) rank = 2; else rank = 1
                                                 if (rank > best) { best = rank; uri = $2 } }
                           END { print uri }'
}

mirror() {
    set -- "${TORCHBOOK_MATRIX_MIRROR:-$(configured_mirror)}"
    printf '%s\n' "${1:-http://deb.debian.org/debian}"
}

install_debootstrap() {
    PATH="$PATH:/usr/sbin:/sbin"
    ! command -v debootstrap >/dev/null || return 0
    command -v apt-get >/dev/null || die "debootstrap is not installed, and this is not a Debian"
    say "installing debootstrap, which makes the other Debians"
    set -- apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3
    { DEBIAN_FRONTEND=noninteractive "$@" install --no-install-recommends debootstrap ||
        { "$@" update && DEBIAN_FRONTEND=noninteractive "$@" install --no-install-recommends debootstrap; }; } \
        >"$cache/debootstrap.log" 2>&1 </dev/null 9>&- ||
        die "debootstrap cannot be installed; the log is $cache/debootstrap.log"
}

# apart COMMAND...: in a mount namespace of its own.
apart() { unshare --mount -- "$@"; }

# A root has the folder torchbook once it is whole. A release that debootstrap has no script for is made by that of sid.
make_root() {
    remove "$root" || return 1
    scripts=${DEBOOTSTRAP_DIR:-/usr/share/debootstrap}/scripts
    script=$scripts/$release
    [ -e "$script" ] || script=$scripts/sid
    apart debootstrap --variant=minbase --include=ca-certificates "$release" "$root" "$(mirror)" "$script" &&
        mkdir "$root/torchbook"
}

in_root() {
    apart sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" \
        env -u TMPDIR LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# A Release file that has expired is no reason to stop: the packages are still those that were signed.
apt_in_root() {
    in_root apt-get -q -y -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3 "$@"
}

# Whether what was installed last is what is asked for now; a package of another name may have provided some of it.
has_packages() { [ "$(cat "$home/packages" 2>/dev/null)" = "$packages" ]; }

# shellcheck disable=SC2086
install_packages() {
    set -- $packages
    cp /etc/resolv.conf "$root/etc/resolv.conf" &&
        apt_in_root update &&
        apt_in_root install --no-install-recommends "$@" &&
        printf '%s\n' "$packages" >"$home/packages"
}

# installed_versions PACKAGE...: a line for each that is installed.
installed_versions() {
    chroot "$root" dpkg-query -W -f '${db:Status-Abbrev}${Package} ${Version}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p'
}
