import type { Command } from './command.ts';
import { exit } from './parts/exit.ts';
import { forgetLogin } from './service/place.ts';

export const logout: Command = {
  words: 'logout',
  summary: 'Forget the address and the token of the login',
  description: 'The token itself stays valid: `cointill tokens revoke` ends it.',
  examples: ['cointill logout'],
  json: { type: 'object', properties: { forgotten: { type: 'boolean' } }, required: ['forgotten'] },
  run: async ({ out }) => {
    const forgotten = await forgetLogin();
    out.answer({ forgotten }, () => out.note(forgotten ? 'Logged out' : 'There was no login'));
    return exit.done;
  },
};
