import type { Command } from './command.ts';
import { exit, usage } from './parts/exit.ts';

export const schema: Command = {
  words: 'schema',
  summary: 'What --json prints, as a JSON Schema a command',
  args: [['[words...]', 'of one command alone']],
  examples: ['cointill schema', 'cointill schema login'],
  json: { type: 'object', additionalProperties: { type: 'object' } },
  run: async ({ args, out, commands }) => {
    const wanted = args.join(' ');
    const of = commands.filter(({ words }) => wanted === '' || words === wanted || words.startsWith(`${wanted} `));
    if (of.length === 0) throw usage(`there is no command '${wanted}'`);
    out.answer(Object.fromEntries(of.map(({ words, json }) => [words, json])));
    return exit.done;
  },
};
