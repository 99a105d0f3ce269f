import type { Command } from '../command.ts';
import { exit } from '../parts/exit.ts';
import { publicKeySchema } from './shapes.ts';

type PublicKey = { readonly algorithm: string; readonly public_key: string };

export const publicKey: Command = {
  words: 'audit public-key',
  summary: 'The public half of the key that signs seals, as PEM',
  examples: ['cointill audit public-key > key.pem'],
  json: publicKeySchema,
  operations: ['getSealKey'],
  run: async ({ out, service }) => {
    const key = (await service().call('GET', '/operator/audit/public-key')) as PublicKey;
    out.answer(key, () => {
      for (const line of key.public_key.trim().split('\n')) out.line(line);
    });
    return exit.done;
  },
};
