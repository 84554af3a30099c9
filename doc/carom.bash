# Completion of carom for bash: verbs, flags of the verb, files of the right kind.
# SPDX-License-Identifier: GPL-3.0-or-later
_carom()
{
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local verbs="run check resume info report plot init grid" verb="" flags="--help" w i
  COMPREPLY=()

  for ((i = 1; i < COMP_CWORD; i++)); do
    w=${COMP_WORDS[i]}
    [[ $w == -- ]] && return
    [[ -z $verb && " $verbs " == *" $w "* ]] && verb=$w
  done

  case $before in
    -o)
      compopt -o filenames
      if [[ $verb == report || $verb == plot ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      else
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
      fi
      return
      ;;
    --steps | --until | --wall | --frames | --layers | --first | --growth) return ;;
  esac

  if [[ -z $verb ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$verbs --help --version" -- "$word")
    return
  fi

  case $verb in
    run) flags="-o --steps --until --wall --quiet --force --print-case --help --" ;;
    resume) flags="--steps --until --wall --quiet --help --" ;;
    check) flags="--fields --help" ;;
    grid) flags="-o --layers --first --growth --help" ;;
    report) flags="-o --frames --help" ;;
    plot) flags="-o --help" ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
    return
  fi

  compopt -o filenames
  case $verb in
    run | check)
      mapfile -t COMPREPLY < <(compgen -f -X '!*.y*ml' -- "$word"; compgen -d -- "$word")
      ;;
    resume | report | plot) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    info) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    grid)
      mapfile -t COMPREPLY < <(
        compgen -W "sphere box cylinder capsule cone" -- "$word"
        compgen -f -- "$word"
      )
      ;;
  esac
}
complete -F _carom carom
