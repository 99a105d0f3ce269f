import type { Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';
import { proofSchema } from './shapes.ts';

export const prove: Command = {
  words: 'audit prove',
  summary: 'Prove that one event lies under a seal',
  description:
    'Whoever has the public key (`audit public-key`) verifies it with `audit verify --proof`, asking nobody.',
  args: [
    ['<deposit>', 'id of the deposit'],
    ['<revision>', 'which event of it, counted from 0'],
  ],
  examples: ['cointill audit prove 1021 4 > proof.json'],
  json: proofSchema,
  operations: ['proveEvent'],
  run: async ({ args, out, service }) => {
    const [deposit_id = '', revision = ''] = args;
    if (!/^\d+$/.test(deposit_id) || !/^\d+$/.test(revision)) throw usage('both are numbers: audit prove 1021 4');
    out.answer(await service().call('GET', '/operator/audit/proof', { query: { deposit_id, revision } }));
    return exit.done;
  },
};
