#!/bin/sh
# run_gtest.sh PROGRAM [ARGUMENT...]: runs a program of GoogleTest. It fails unless the program exits with 0 and says that a
# test passed or was skipped, so a program that does nothing fails, too.
printed=$("$@" 2>&1)
status=$?
printf '%s\n' "$printed"
case $printed in
*'[  PASSED  ] '[1-9]* | *'[  SKIPPED ] '[1-9]*) exit $status ;;
esac
echo "$1 exited with $status and ran no test"
exit 1
