#!/bin/sh
# Tests that cell_tests.sh tells a cell that passed from all others: one that failed, threw, did not run, has a longer
# name, or passed in an earlier run. Prints a line for each check. Exits with 1 if any check fails.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
script=$(dirname -- "$(readlink -f -- "$0")")/../cmake/cell_tests.sh
. "$(dirname -- "$(readlink -f -- "$0")")/support/checks.sh"

cat >"$work/program" <<'FAKE'
#!/bin/sh
[ "$1 $2" = "--check --junit" ] || exit 2
cat >"$3" <<'REPORT'
<testsuites>
  <testsuite name="trick">
    <testcase classname="torchbook.trick" name="@1 In [4]" />
    <testcase classname="torchbook.trick" name="@2 In [5]">
      <failure message="line 1 differs" type="differs">expected
  &lt;skipped message="1 &amp;amp; 2" /&gt;
</failure>
    </testcase>
    <testcase classname="torchbook.trick" name="@3 In [60]" />
    <testcase classname="torchbook.trick" name="@4 In [7]">
      <error message="no such index" type="threw">no such index</error>
    </testcase>
    <testcase classname="torchbook.trick" name="@5 In [8]">
      <skipped message="not run: something before it threw" />
    </testcase>
    <testcase classname="torchbook.trick" name="@6 In [None]">
      <skipped message="a picture" />
    </testcase>
  </testsuite>
</testsuites>
REPORT
exit 1
FAKE
chmod 755 "$work/program"

tell() {
    sh "$script" tell "$work/log" "$1" >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/out" >>"$work/err"
}

sh "$script" run "$work/program" "$work/log"
check "a run in which cells fail succeeds" [ $? -eq 0 ]
tell '@1 In [4]'
check "a cell that passed passes" exits 0
tell '@2 In [5]'
check "a cell that failed fails" exits 1
check "and shows its difference, as it was" says '  <skipped message="1 &amp; 2" />'
check "and only its own" not says "In [4]"
tell '@3 In [6]'
check "a cell whose name begins another one's fails" exits 1
check "and says that it did not run" says "the run of the notebook said nothing of this cell"
tell '@3 In [60]'
check "a cell behind one that failed passes" exits 0
tell '@4 In [7]'
check "a cell that threw fails" exits 1
check "and shows what it threw" says "no such index"
tell '@5 In [8]'
check "a cell behind it fails" exits 1
tell '@6 In [None]'
check "a cell that the report skips is skipped" exits 77

printf '#!/bin/sh\necho the crash >&2\nkill -SEGV $$\n' >"$work/program"
sh "$script" run "$work/program" "$work/log" 2>/dev/null
check "a run that crashes succeeds" [ $? -eq 0 ]
tell '@1 In [4]'
check "a run that crashes leaves nothing of the one before" exits 1
check "and its cells show the crash" says "the crash"
rm "$work/log"
tell '@1 In [4]'
check "without a run, a cell fails" not exits 0
finish
