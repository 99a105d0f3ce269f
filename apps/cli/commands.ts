import { ahead } from './audit/ahead.ts';
import { exportCommand } from './audit/export.ts';
import { exportSeal } from './audit/export-seal.ts';
import { prove } from './audit/prove.ts';
import { publicKey } from './audit/public-key.ts';
import { sealCommand } from './audit/seal.ts';
import { stream } from './audit/stream.ts';
import { verifyCommand } from './audit/verify.ts';
import type { Command } from './command.ts';
import { complete, completion } from './completion/completion.ts';
import { backup, restore } from './installation/backup.ts';
import { deliveriesCarryAgain } from './installation/carry-again.ts';
import { deliveriesTakeUp } from './installation/deliveries.ts';
import { logTakeUp } from './installation/log.ts';
import { numbersRaise } from './installation/numbers.ts';
import { secretsFinish, secretsRotate } from './installation/secrets.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { operatorCommands } from './operators/operators.ts';
import { rebuild } from './projections/rebuild.ts';
import { switchTables } from './projections/switch.ts';
import { schema } from './schema.ts';

/** Every command there is, in the order of the help. */
export const commands: readonly Command[] = [
  ...[login, logout],
  ...operatorCommands,
  ...[rebuild, switchTables],
  ...[backup, restore, numbersRaise, deliveriesTakeUp, deliveriesCarryAgain, logTakeUp, secretsRotate, secretsFinish],
  ...[stream, verifyCommand, sealCommand, exportSeal, publicKey, prove, exportCommand, ahead],
  ...[completion, complete, schema],
];

/** What the groups of commands are about. */
export const groups: Readonly<Record<string, string>> = {
  approvals: 'What waits for a second person',
  accounts: 'Affiliates, their casinos and their access tokens',
  'accounts affiliates': 'Partner accounts',
  'accounts casinos': 'Casinos, which the interface calls entities',
  'accounts access-tokens': 'Tokens of the older interface',
  keys: 'API keys of partners',
  tokens: 'Tokens of operators, auditors and engines',
  rates: 'What a coin costs',
  currencies: 'Which currencies are switched on',
  addresses: 'Pools of addresses, and extended keys',
  players: 'Who players are',
  messages: 'What players were told',
  deposits: 'Deposits and what is decided about them',
  settlements: 'What casinos are owed',
  transactions: 'Transactions of the older interface',
  returns: 'Deposits on their way back',
  deliveries: 'Webhooks and their attempts',
  chains: 'Chains that are watched, and their nodes',
  projections: 'Read models: how they stand, and rebuilds',
  'lost-ends': 'Histories that end before what was shown of them',
  signals: 'What the payment engine reported',
  simulate: 'Played payments, where the engine is simulated',
  'audit-trail': 'Who changed what',
  log: 'The event log that the installation has',
  numbers: 'Ids, indexes and addresses that are given out',
  secrets: 'The key that secrets are sealed with',
  audit: 'Streams, proofs and exports for auditors',
  'audit jobs': 'What was asked for and runs beside the service',
  'audit seals': 'Seals of history',
};
