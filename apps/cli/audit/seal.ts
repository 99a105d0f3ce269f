import type { Command } from '../command.ts';
import { exit } from '../parts/exit.ts';
import { lineOf } from './findings.ts';
import { follow } from './job.ts';
import { sealSchema } from './shapes.ts';

export const sealCommand: Command = {
  words: 'audit seal',
  summary: 'Seal all of history as it is now',
  description: 'Keep what it prints elsewhere: `audit verify --seal` holds history against it later.',
  examples: ['cointill audit seal --json > seal.json'],
  json: sealSchema,
  operations: ['sealHistory'],
  run: async (call) => {
    const job = await follow(call, await call.service().call('POST', '/operator/audit/seal', { body: {} }));
    const seal = job.result?.seal ?? {};
    call.out.answer(seal, () => call.out.fields(seal));
    for (const each of job.findings) call.out.note(lineOf(each));
    return job.findings.length > 0 ? exit.finding : exit.done;
  },
};
