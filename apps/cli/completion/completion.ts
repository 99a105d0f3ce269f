import type { Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';
import { candidates } from './candidates.ts';
import { scripts } from './scripts.ts';

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
