const bash = `_cointill() {
  local words
  words=$("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return 0
  mapfile -t COMPREPLY <<<"$words"
  [ -n "$words" ] || compopt -o default
}
complete -F _cointill cointill
`;

const zsh = `#compdef cointill
_cointill() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[*]}" ]]; then compadd -a found; else _files; fi
}
compdef _cointill cointill
`;

const fish = `function __cointill
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c cointill -n 'string length -q -- (__cointill)' -f -a '(__cointill)'
`;

export const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };
