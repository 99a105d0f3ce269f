import type { Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';
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
    for await (const part of service().stream('GET', `/operator/audit/seals/${number}/file`)) await written(part);
    return exit.done;
  },
};
