import type { Command } from './command.ts';
import { complete, completion } from './completion/completion.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { schema } from './schema.ts';

/** Every command there is, in the order of the help. */
export const commands: readonly Command[] = [login, logout, completion, complete, schema];

/** What the groups of commands are about. */
export const groups: Readonly<Record<string, string>> = {
  audit: 'Streams, proofs and exports for auditors',
};
