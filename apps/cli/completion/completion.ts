import type { Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';

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

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

const ALWAYS = ['--help', '--json', '--yes'];

const longOf = (flags: string): string[] => flags.match(/--[\w-]+/g) ?? [];

/** What may stand where the last of the words begins: the next word of a command, or an option of the one there. */
const candidates = (commands: readonly Command[], typed: readonly string[]): string[] => {
  const begun = typed.at(-1) ?? '';
  const before = typed.slice(0, -1);
  const below = commands.map(({ words }) => words.split(' ')).filter((words) => !words[0]?.startsWith('__'));
  const next = below
    .filter((words) => before.every((word, nth) => words[nth] === word))
    .map((words) => words[before.length]);
  const here = commands.find(({ words }) => before.join(' ').startsWith(words));
  const options = () => [...ALWAYS, ...(here?.options ?? []).flatMap(([flags]) => longOf(flags))];
  const all = begun.startsWith('-') ? options() : next.filter((word) => word !== undefined);
  return [...new Set(all)].filter((each) => each.startsWith(begun)).sort();
};

export const completion: Command = {
  words: 'completion',
  summary: 'Print what completes commands in bash, zsh or fish',
  description: 'It asks the `cointill` of the PATH, so the commands of another version complete as well.',
  args: [['<shell>', 'bash, zsh or fish']],
  examples: [
    'source <(cointill completion bash)',
    'source <(cointill completion zsh)',
    'cointill completion fish > ~/.config/fish/completions/cointill.fish',
  ],
  json: { type: 'object', properties: { script: { type: 'string' } }, required: ['script'] },
  run: async ({ args: [shell = ''], out }) => {
    const script = scripts[shell];
    if (script === undefined)
      throw usage(`no completion for '${shell}': name one of ${Object.keys(scripts).join(', ')}`);
    out.answer({ script }, () => process.stdout.write(script));
    return exit.done;
  },
};

/** What the scripts ask. */
export const complete: Command = {
  words: '__complete',
  summary: 'What the completion of a shell asks',
  args: [['[words...]', 'typed so far']],
  examples: ['cointill __complete -- au'],
  json: { type: 'array', items: { type: 'string' } },
  run: async ({ args, out, commands }) => {
    const found = candidates(commands, args);
    out.answer(found, () => {
      for (const each of found) out.line(each);
    });
    return exit.done;
  },
};
