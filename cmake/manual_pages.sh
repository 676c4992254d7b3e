#!/bin/sh
# Writes manual pages of what a program's help shows, torchbook.1 and torchbook-COMMAND.1, with help2man:
#
#   manual_pages.sh PROGRAM VERSION FOLDER
set -eu
program=$1 version=$2 folder=$3
mkdir -p "$folder"

# page NAME DESCRIPTION HELP_OPTION
page() {
    help2man --no-info --name "$2" --help-option "$3" --version-string "$1 $version" -o "$folder/$1.1" "$program"
}

page torchbook 'run PyTorch notebooks, ported to LibTorch, and compare their outputs' --help
for command in $("$program" --help | sed -nE '/^subcommands:/I,/^$/ s/^  ([a-z]+).*/\1/p'); do
    description=$("$program" "$command" --help 2>/dev/null | head -n 1)
    [ -z "$description" ] || page "torchbook-$command" "$description" "$command --help"
done
