#!/bin/sh
# must_print.sh PATTERN COMMAND [ARGUMENT...]: runs a command, and fails unless it exits with 0 and prints what the extended
# regular expression matches. So a test of a program that does nothing fails, too.
pattern=$1
shift
printed=$("$@" 2>&1)
status=$?
printf '%s\n' "$printed"
[ $status -eq 0 ] || exit $status
printf '%s\n' "$printed" | grep -qE -e "$pattern" || {
    echo "$1 exited with 0 and printed nothing like: $pattern"
    exit 1
}
