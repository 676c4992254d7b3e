#!/bin/sh
# Writes manual pages of what a program's help shows, torchbook.1 and torchbook-COMMAND.1, with help2man:
#
#   manual_pages.sh PROGRAM VERSION FOLDER
#
# Does nothing if they are newer than the programs. Each install of a build calls it, and the help of all commands takes long.
set -eu
program=$1 version=$2 folder=$3
mkdir -p "$folder"
exec 9>"$folder.lock"
! command -v flock >/dev/null || flock 9  # another install of the same build
if [ -e "$folder/torchbook.1" ] && [ -z "$(find "$(dirname "$program")" -name 'torchbook*' -newer "$folder/torchbook.1")" ]; then
    exit 0
fi
rm -f "$folder"/*.1

# page NAME DESCRIPTION HELP_OPTION
page() {
    help2man --no-info --name "$2" --help-option "$3" --version-string "$1 $version" -o "$folder/$1.1" "$program"
}

# Each command with its description, which the help of the program breaks into lines.
"$program" --help | awk '/^Subcommands:/ { here = 1; next } !here { next } /^ *$/ { exit }
                         /^  [a-z]/ { if (text) print text; text = $1; $1 = "" } { sub(/^ +/, ""); text = text " " $0 }
                         END { print text }' |
    while read -r command description; do
        case $command in help | test | matrix) continue ;; esac  # a manual page is the help; the others are a clone's
        page "torchbook-$command" "$description" "$command --help" </dev/null
    done
page torchbook 'run PyTorch notebooks, ported to LibTorch, and compare their outputs' --help  # the last, which is complete
