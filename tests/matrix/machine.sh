# Fakes the machine on which matrix_test.sh runs the matrix: a folder of fake tools is the whole PATH.
#
# shellcheck shell=sh disable=SC2016,SC2034,SC2154  # code of fakes; variables of the test
cache=$work/the\ cache
real awk cat cp date dirname env flock grep head ls mkdir paste readlink rm rmdir sed sh sleep tail tar touch \
    tr wc

fake id <<'FAKE'
cat "$state/uid"
FAKE
fake sudo <<'FAKE'
[ "$1" = -n ] && [ -e "$state/sudo_works" ] || exit 1
shift
echo 0 >"$state/uid"
exec "$@"
FAKE
fake apt-get <<'FAKE'
case $1 in
indextargets) exec /usr/bin/apt-get "$@" ;;
esac
case " $* " in
*" install "*) [ ! -e "$state/install_fails" ] && cp "$state/debootstrap" "$state/../bin/" ;;
esac
FAKE
fake findmnt <<'FAKE'
cat "$state/mounts"
FAKE
fake lscpu <<'FAKE'
echo "Architecture: x86_64"
echo "Flags:        $(cat "$state/flags")"
FAKE
fake mount </dev/null
fake true </dev/null
fake unshare <<'FAKE'
[ "$1 $2" = "--mount --" ] || exit 1
shift 2
exec "$@"
FAKE
fake debootstrap <<'FAKE'
[ -e "$6" ] || { echo "E: no script $6"; exit 1; }
[ ! -e "$state/no_$3" ] || { echo "E: no such release"; exit 1; }
mkdir -p "$4/etc"
FAKE

# Fakes a Debian system that has everything once it is installed, and in which torchbook computes as the variables say.
# The state may say for a cell, named CAPABILITY-THREADS-BLAS, what goes wrong: a sed script or an exit code.
fake chroot <<'FAKE'
root=$1 release=${1%/root}
release=${release##*/}
shift
for word in "$@"; do
    case $word in
    ATEN_CPU_CAPABILITY=*) capability=${word#*=} ;;
    OMP_NUM_THREADS=*) threads=${word#*=} ;;
    LD_LIBRARY_PATH=*) folder=${word#*=} ;;
    esac
done
case " $* " in
*" apt-get "*" update ") ;;
*" apt-get "*" install "*) touch "$root/installed" ;;
*" dpkg-query -W "*)
    [ -e "$root/installed" ] || exit 1
    shift 4
    for package in "$@"; do echo "ii $package 2.6.0+dfsg-8"; done
    ;;
*" dpkg-query -L libblas3 "*) printf '%s\n' /usr/lib/x/blas /usr/lib/x/blas/libblas.so.3 ;;
*" dpkg-query -L libopenblas0-pthread "*) printf '%s\n' /usr/lib/x/open /usr/lib/x/open/libblas.so.3 ;;
*" cmake -S "*) [ ! -e "$state/no_cmake_in_$release" ] || { echo "CMake Error: too old"; exit 1; } ;;
*" cmake --build "*) cat "$root/torchbook/source/CMakeLists.txt" >"$state/built" || exit 1 ;;
*/torchbook" check "*)
    cell=$capability-$threads-${folder##*/}
    [ ! -e "$state/$cell.code" ] || { echo "died" >&2; exit "$(cat "$state/$cell.code")"; }
    touch "$state/$cell.sed"
    upper=$(printf %s "$capability" | tr '[:lower:]' '[:upper:]')
    sed -e "s|\"cpu_capability\": .*|\"cpu_capability\": \"$upper\",|" \
        -e "s|\"blas\": .*|\"blas\": \"$folder/libblas.so.3 (a BLAS)\",|" \
        -e "s|\"threads\": .*|\"threads\": $threads,|" "$state/../check.json" | sed -f "$state/$cell.sed"
    ! grep -q different "$state/$cell.sed" || exit 1
    ;;
*) exit 1 ;;
esac
FAKE
