import type { Seal } from '#audit';
import type { Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';
import { cutOff, linesIn, sentLine } from '../parts/lines.ts';
import { written } from '../parts/written.ts';
import { sealFileSchema } from './shapes.ts';

export const exportSeal: Command = {
  words: 'audit seals export',
  summary: 'A seal with the end of every history under it, a line each',
  description: 'To be kept where nobody can write who can write to the database.',
  args: [['<number>', 'of the seal']],
  examples: ['cointill audit seals export 3 > seal-3.ndjson'],
  json: sealFileSchema,
  rows: true,
  operations: ['exportSeal'],
  run: async ({ args: [number = ''], service }) => {
    if (!/^\d+$/.test(number)) throw usage(`${number} is no number of a seal`);
    let [heads, seal] = [-1, undefined as Pick<Seal, 'streams'> | undefined];
    for await (const lines of linesIn(service().stream('GET', `/operator/audit/seals/${number}/file`))) {
      const [first, last] = [lines[0], lines.at(-1)];
      if (first !== undefined) seal ??= sentLine<Seal>(first);
      if (last !== undefined) sentLine(last);
      heads += lines.length;
      if (lines.length > 0 && !(await written(`${lines.join('\n')}\n`))) return exit.done;
    }
    if (seal?.streams !== heads) throw cutOff();
    return exit.done;
  },
};
