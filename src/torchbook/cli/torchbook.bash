# Completes torchbook's commands, options and notebooks in bash. All words come from `torchbook [COMMAND] --help`.

# Prints the commands in a help. Those of the script in the source tree are not the program's.
_torchbook_commands() {
  torchbook --help 2>/dev/null | awk 'tolower($1) == "subcommands:" { on = 1; next } !NF { on = 0 }
    on && /^  [a-z]/ { word[++n] = $1 } on && /\.\/torchbook only\)/ { --n }
    END { while (i < n) print word[++i] }'
}

_torchbook() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= help kind= words
  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
  [[ $current == = ]] && current=
  ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}
  help=$(torchbook ${command:+"$command"} --help 2>/dev/null)
  if [[ $previous == -* ]]; then # `FILE` or `text|json`; a flag has nothing
    kind=$(sed -nE "s/^  (\S+,)?$previous(,\S+)? ([^ =:]+).*/\3/p" <<<"$help" 2>/dev/null)
  fi
  if [[ -z $kind && $current == -* ]]; then
    words=$(sed -nE 's/^  (-\S+).*/\1/p' <<<"$help" | sed 's/{false}//; s/,/ /')
  else
    [[ $kind || $command ]] || kind=COMMAND
    [[ $kind ]] || kind=$(sed -nE '/^positionals:/I,/^$/ s/^  ([A-Z]+).*/\1/p' <<<"$help" | head -n 1)
    case $kind in
      SLUG) words=$(torchbook list 2>/dev/null | cut -d ' ' -f 1) ;;
      COMMAND) words=$(_torchbook_commands) ;;
      *) words=$(tr '|' '\n' <<<"$kind" | grep '^[a-z]') ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _torchbook torchbook # without words, the names of files
