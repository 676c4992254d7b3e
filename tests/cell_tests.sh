#!/bin/sh
# Makes each cell a test of its own without a start of LibTorch for each.
#
#   cell_tests.sh run PROGRAM SLUG LOG   runs the tests of all cells of a notebook, and writes what they print to LOG
#   cell_tests.sh tell LOG TEST          prints what LOG says of one test, and exits with 0 only if the test passed
#
# `run` succeeds even if cells fail, because ctest would not run the tests that tell which.
case $1 in
run) "$2" --gtest_filter="$3.*" --gtest_brief=0 --gtest_color=no >"$4" 2>&1 || : ;;
tell)
    awk -v name="$3" '
        $0 == "[ RUN      ] " name { inside = 1 }
        inside { print }
        { last[NR % 20] = $0 }
        inside && index($0, "[       OK ] " name " (") == 1 { passed = 1; exit }
        inside && index($0, "[  FAILED  ] " name) == 1 { failed = 1; exit }
        END {
            if (!passed && !failed) {
                print "the run of the notebook ended before the end of this test; its last lines are"
                for (i = NR - 19; i <= NR; ++i) if (i > 0) print last[i % 20]
            }
            exit !passed
        }' "$2"
    ;;
esac
