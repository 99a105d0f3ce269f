import { openAddresses } from '#addresses';
import { type CreateRequest, knownEvents, openDepositCommands } from '#deposit-commands';
import { casino, paidAndScreened, request, scope } from '#deposit-commands/testing';
import type { EventLog } from '#event-log';
import { openPostgresEventLog } from '#event-log/postgres';
import { decimalText } from '#money';
import type { Health } from '#platform/health';
import { type Logger, silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { openCounters } from '../counters.ts';

export type BesideOptions = {
  readonly url: string;
  readonly logUrl: string;
  readonly log?: EventLog | undefined;
  /** It looks at the log at its start, and when it has a reason to. */
  readonly keep?: boolean | undefined;
  readonly logger?: Logger | undefined;
  readonly health?: Health | undefined;
  /** The log lies in that very database. */
  readonly isOfTheLog?: boolean | undefined;
};

let players = 0;

/** One instance, with a log in a database of its own. */
export const openBeside = async (options: BesideOptions) => {
  const { url, logUrl, log: given, keep = false, logger = silentLogger, health, isOfTheLog = false } = options;
  const log = given ?? (await openPostgresEventLog({ databaseUrl: logUrl, known: knownEvents }));
  const pool = createPool({ url, applicationName: 'test', logger: silentLogger });
  const counters = openCounters({ pool, log, logger, health, isOfTheLog, everyMs: keep ? 60_000 : 50 });
  const { giving } = counters;
  const secrets = createSecrets('a key of tests');
  const addresses = await openAddresses({
    ...{ pool, secrets, logger: silentLogger, demo: true },
    ...{ lowWater: 2, highWater: 4 },
  });
  const commands = openDepositCommands({
    ...{ pool, log, logger: silentLogger, giving, ofacDeadlineSeconds: 60, addressWaitMs: 200 },
    bodyKey: Buffer.from('a key of tests'),
    onForeignDeposit: (id) => counters.stoodInLog('deposit', id),
    currentRate: async () => decimalText('50000'),
    isEnabled: async () => true,
    isReturningPlayer: async () => false,
    casino: async () => casino,
    checkPlayer: async () => ({ outcome: 'verified', contactRef: 'a contact' }),
    takeAddress: (...asked) => giving(() => addresses.take(...asked)),
    takeAddressWithin: (...asked) => giving(() => addresses.takeWithin(...asked)),
  });
  const create = async (changes: Partial<CreateRequest> = {}) => {
    const outcome = await commands.create(request({ gamblerRef: `player-${++players}`, ...changes }));
    if (outcome.outcome !== 'applied') throw new Error(JSON.stringify(outcome));
    const { terms, address } = outcome.deposit;
    return { id: terms.depositId, transactionId: terms.transactionId, address, gamblerRef: terms.gamblerRef };
  };
  const giveBack = async (depositId: number) => {
    const signals = paidAndScreened({ txid: `tx-${depositId}`, amount: '0.002' });
    await commands.applySignals(depositId, signals, 'engine');
    const outcome = await commands.return({
      ...{ depositId, scope, actor: 'test', returnAddress: 'home', reason: null },
    });
    if (outcome.outcome !== 'applied') throw new Error(JSON.stringify(outcome));
    return outcome.deposit.refund?.returnId;
  };
  return {
    ...{ counters, addresses, create, giveBack, pool, secrets },
    close: async () => {
      await addresses.close();
      await counters.stop();
      await pool.end();
      if (!given) await log.close();
    },
  };
};
