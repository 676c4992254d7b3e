#!/bin/sh
# Tests that cell_tests.sh tells a cell that passed from all others: one that failed, crashed, did not run, has a longer
# name, or passed in an earlier run. Prints a line for each check. Exits with 1 if any check fails.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
script=$(dirname -- "$(readlink -f -- "$0")")/cell_tests.sh
. "$(dirname -- "$script")/support/checks.sh"

cat >"$work/program" <<'FAKE'
#!/bin/sh
[ "$*" = "--gtest_filter=trick.* --gtest_brief=0 --gtest_color=no" ] || exit 2
cat <<'LOG'
[ RUN      ] trick.cell_01_In_4
[       OK ] trick.cell_01_In_4 (3 ms)
[ RUN      ] trick.cell_02_In_5
  the difference
[  FAILED  ] trick.cell_02_In_5 (0 ms)
[ RUN      ] trick.cell_03_In_60
[       OK ] trick.cell_03_In_60 (0 ms)
[ RUN      ] trick.cell_04_In_7
LOG
echo "the crash" >&2
kill -SEGV $$
FAKE
chmod 755 "$work/program"

tell() {
    sh "$script" tell "$work/log" "trick.$1" >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/out" >>"$work/err"
}

sh "$script" run "$work/program" trick "$work/log" 2>/dev/null
check "a run in which cells fail and that crashes succeeds" [ $? -eq 0 ]
tell cell_01_In_4
check "a cell that passed passes" exits 0
tell cell_02_In_5
check "a cell that failed fails" exits 1
check "and shows its difference" says "  the difference"
check "and only its own" not says cell_01
tell cell_03_In_6
check "a cell whose name begins another one's fails" exits 1
check "and says that it did not run" says "the run of the notebook ended before the end of this test"
tell cell_04_In_7
check "the cell that crashed fails" exits 1
check "and shows the crash" says "the crash"
tell cell_05_In_8
check "a cell behind the crash fails" exits 1
check "and shows the crash, too" says "the crash"

printf '#!/bin/sh\nexit 1\n' >"$work/program"
sh "$script" run "$work/program" trick "$work/log"
tell cell_01_In_4
check "a run that tells nothing leaves nothing of the one before" exits 1
rm "$work/log"
tell cell_01_In_4
check "without a run, a cell fails" not exits 0
finish
