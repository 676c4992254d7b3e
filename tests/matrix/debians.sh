#!/bin/sh
# Keeps, makes, enters and removes the Debian systems of ./torchbook matrix. matrix.sh sources it and sets `cache`,
# `chosen`, `packages`, and for the current one `release` and `root`, and `architecture` if it is not this machine's.
#
# A Debian system is a folder, CACHE/RELEASE/root, made by debootstrap. Each command that needs mounts in it makes them
# in a mount namespace of its own. Nobody else sees them, and they vanish when the command ends, however it ends.
#
# shellcheck disable=SC2016,SC2154  # a shell in the root expands these variables; matrix.sh sets them

# ------------------------------------------------------------ the cache

tag="Signature: 8a477f597d28d172789f06886806bc55" # tells backup programs that this is a cache
owner="# made by ./torchbook matrix"

is_ours() { grep -qsxF -e "$owner" "$cache/CACHEDIR.TAG"; }

open_cache() {
    if ! is_ours; then
        [ -z "$(ls -A "$cache" 2>/dev/null)" ] ||
            die "$cache contains other files; set TORCHBOOK_MATRIX_DIR to an empty or a new folder"
        { mkdir -p "$cache" && printf '%s\n%s\n' "$tag" "$owner" >"$cache/CACHEDIR.TAG"; } ||
            die "cannot write in $cache"
    fi
    lock_cache
}

lock_cache() {
    exec 9>>"$cache/lock"
    flock -n 9 || die "another ./torchbook matrix is running in $cache; wait for it, or set TORCHBOOK_MATRIX_DIR"
}

# mounted_in FOLDER: prints what is mounted there or below.
mounted_in() {
    findmnt --noheadings --list --output TARGET |
        awk -v folder="$1" '$0 == folder || index($0, folder "/") == 1'
}

# remove FOLDER: removes a folder, unless something is mounted in it, which would be emptied too.
remove() {
    mounted=$(mounted_in "$(readlink -m -- "$1")" | paste -sd ' ' -)
    if [ "$mounted" ]; then
        say "$1 is not removed, because something is mounted there; unmount it first: $mounted"
        return 1
    fi
    rm -rf --one-file-system -- "$1"
}

# Removes what is kept if ./torchbook matrix made it.
clean() {
    [ -e "$cache" ] || return 0
    is_ours || die "$cache was not made by ./torchbook matrix; nothing is removed"
    lock_cache
    for release in $chosen; do
        remove "$cache/$release" || exit 2
    done
    rm -f -- "$cache/lock" "$cache/debootstrap.log"
    if [ "$(ls -A "$cache")" = CACHEDIR.TAG ]; then
        rm -f -- "$cache/CACHEDIR.TAG" && rmdir -- "$cache"
    fi
}

# ------------------------------------------------------------ a Debian system

# Prints the mirror from which apt on this machine takes its own Debian, in whatever format its sources are.
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
    [ -n "$1" ] || die "apt on this machine knows no Debian mirror; name one in TORCHBOOK_MATRIX_MIRROR"
    printf '%s\n' "$1"
}

install_debootstrap() {
    PATH="$PATH:/usr/sbin:/sbin"
    ! command -v debootstrap >/dev/null || return 0
    command -v apt-get >/dev/null || die "debootstrap is not installed, and this system has no apt-get; install it"
    say "installing debootstrap, which makes the other Debian systems"
    set -- apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3
    { DEBIAN_FRONTEND=noninteractive "$@" install --no-install-recommends debootstrap ||
        { "$@" update && DEBIAN_FRONTEND=noninteractive "$@" install --no-install-recommends debootstrap; }; } \
        >"$cache/debootstrap.log" 2>&1 </dev/null 9>&- ||
        die "debootstrap cannot be installed; the log is $cache/debootstrap.log"
}

# apart COMMAND...: runs a command in a mount namespace of its own.
apart() { unshare --mount -- "$@"; }

# Makes the root. The folder torchbook in it says that it is complete. A release without a debootstrap script uses
# sid's.
make_root() {
    remove "$root" || return 1
    scripts=${DEBOOTSTRAP_DIR:-/usr/share/debootstrap}/scripts
    script=$scripts/$release
    [ -e "$script" ] || script=$scripts/sid
    from=$(mirror) || return 1
    apart debootstrap ${architecture:+--arch=$architecture} --variant=minbase --include=ca-certificates "$release" "$root" "$from" "$script" &&
        mkdir "$root/torchbook"
}

in_root() {
    apart sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" \
        env -u TMPDIR LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# Accepts an expired Release file, because the packages are still the signed ones.
apt_in_root() {
    in_root apt-get -q -y -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3 "$@"
}

# Returns whether the packages installed last are those needed now. dpkg cannot tell, because others may provide some.
has_packages() { [ "$(cat "$home/packages" 2>/dev/null)" = "$packages" ]; }

# shellcheck disable=SC2086
install_packages() {
    set -- $packages
    cp /etc/resolv.conf "$root/etc/resolv.conf" &&
        apt_in_root update &&
        apt_in_root install --no-install-recommends "$@" &&
        printf '%s\n' "$packages" >"$home/packages"
}

# installed_versions PACKAGE...: prints a line for each installed package.
installed_versions() {
    chroot "$root" dpkg-query -W -f '${db:Status-Abbrev}${Package} ${Version}\n' "$@" 2>/dev/null | sed -n 's/^ii *//p'
}
