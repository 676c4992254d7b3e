#!/bin/sh
# Makes each cell of a notebook a test of its own without a start of LibTorch for each.
#
#   cell_tests.sh run PROGRAM LOG   runs a notebook's executable; LOG gets what it prints, LOG.xml its JUnit report
#   cell_tests.sh tell LOG HEADING  shows what the report says of one cell, such as '@11 In [49]', and exits with 0 if it
#                                   passed, 77 if the report skips it, otherwise with 1
#
# `run` succeeds even if cells fail, because ctest would not run the tests that tell which.
case $1 in
run)
    rm -f "$3" "$3.xml"
    "$2" --check --junit "$3.xml" >"$3" 2>&1 || :
    ;;
tell)
    [ ! -e "$2.xml" ] || awk -v heading="name=\"$3\"" '
        /^ *<testcase / && index($0, heading) { inside = found = 1 }
        inside {
            if (/^ *<(failure|error) / || /^ *<skipped message="not run/) failed = 1
            else if (/^ *<skipped/) skipped = 1
            line = $0
            gsub(/&#10;/, "\n", line); gsub(/&quot;/, "\"", line); gsub(/&lt;/, "<", line); gsub(/&gt;/, ">", line)
            gsub(/&amp;/, "\\&", line)
            print line
        }
        /\/testcase>$/ || /<testcase .*\/>$/ { inside = 0 }
        END { exit !found ? 2 : failed ? 1 : skipped ? 77 : 0 }' "$2.xml"
    status=$?
    if [ ! -e "$2.xml" ] || [ $status -eq 2 ]; then
        echo "the run of the notebook said nothing of this cell; its last lines are"
        tail -n 20 "$2"
        exit 1
    fi
    exit $status
    ;;
esac
