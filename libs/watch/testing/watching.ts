import type { ChainNode } from '#chains';
import type { Ticker } from '#money';
import { createLog } from '#platform/logging';
import type { TestDatabase } from '../../../test/support/with-database.ts';
import type { WatchedChain } from '../chain.ts';
import type { WatchParts } from '../parts.ts';
import { type ChainReport, chainReports } from '../report.ts';
import type { RawSignal } from '../signals.ts';
import { createWatch } from '../watch-chain.ts';

export type Alarm = { readonly alert: string } & Readonly<Record<string, unknown>>;

export type Watching = {
  /** One turn, as the watcher takes one every half a second. */
  readonly turn: (stopping?: AbortSignal) => Promise<void>;
  readonly turns: (count: number) => Promise<void>;
  readonly lookAround: () => Promise<unknown>;
  readonly rescan: () => Promise<void>;
  readonly listElsewhere: () => Promise<void>;
  readonly tryAgain: () => Promise<void>;
  readonly mayTell: () => Promise<boolean>;
  /** Whoever pays to this script pays that deposit. */
  readonly give: (script: string, depositId: number) => Promise<void>;
  /** The same of a transaction of the older interface. */
  readonly giveOlder: (script: string, transactionId: number) => Promise<void>;
  /** What was told since it was asked last, in its order. */
  readonly told: () => Promise<readonly RawSignal[]>;
  readonly alerts: () => readonly string[];
  /** All of what they say. */
  readonly alarms: () => readonly Alarm[];
  readonly report: () => Promise<ChainReport | undefined>;
  /** So much later, for whoever asks the time. */
  readonly pass: (ms: number) => void;
};

const isAlarm = (said: Partial<Alarm>): said is Alarm => said.alert !== undefined;

type Options = Partial<Omit<WatchedChain, 'coin' | 'nodes'>> &
  Pick<Partial<WatchParts>, 'isFast' | 'fullRbf' | 'issuedAt' | 'liveSince'>;

/** So that nothing is read again of before the first turn. */
const NOTHING_BEFORE: WatchParts['liveSince'] = async () => new Date(8.64e15);

/** A watcher that goes turn by turn, with a clock that is told what time it is. */
export const watching = (
  database: TestDatabase,
  coin: Ticker,
  nodes: readonly ChainNode[],
  { isFast = async () => false, fullRbf = 'allow', issuedAt, liveSince = NOTHING_BEFORE, ...chain }: Options = {},
): Watching => {
  const { pool } = database;
  const said: string[] = [];
  const { logger } = createLog({ level: 'warn', to: { write: (line) => void said.push(line) } });
  let ahead = 0;
  const { turn, lookAround, rescan, listElsewhere, tryAgain, mayTell } = createWatch({
    ...(issuedAt && { issuedAt }),
    ...{ pool, logger, isFast, fullRbf, liveSince, now: () => new Date(Date.now() + ahead) },
    chain: {
      ...{ coin, nodes, agree: 1, confirmations: [{ from: 0n, need: 1 }], headMaxAgeMs: 86_400_000, dust: 0n },
      ...chain,
    },
  });
  const alarms = () => said.map((line): Partial<Alarm> => JSON.parse(line)).filter(isAlarm);
  const once = (stopping = new AbortController().signal) => turn(stopping);
  const giveTo = async (column: 'deposit_id' | 'transaction_id', script: string, id: number): Promise<void> => {
    await pool.query(
      `INSERT INTO pool_addresses (currency, address, address_key, script, source, ${column}, taken_at)
       VALUES ($1, $2, $2, $2, 'added', $3, now()) ON CONFLICT DO NOTHING`,
      [coin, script, id],
    );
  };
  return {
    turn: once,
    turns: async (count) => {
      for (let nth = 0; nth < count; nth += 1) await once();
    },
    lookAround,
    mayTell,
    tryAgain,
    listElsewhere: () => listElsewhere(new AbortController().signal),
    rescan: () => rescan(new AbortController().signal),
    give: (script, depositId) => giveTo('deposit_id', script, depositId),
    giveOlder: (script, transactionId) => giveTo('transaction_id', script, transactionId),
    told: async () =>
      (
        await pool.query<{ signal: RawSignal }>(
          'WITH gone AS (DELETE FROM chain_outbox RETURNING id, signal) SELECT signal FROM gone ORDER BY id',
        )
      ).rows.map(({ signal }) => signal),
    alarms,
    alerts: () => alarms().map(({ alert }) => alert),
    report: async () => (await chainReports(pool)).find(({ currency }) => currency === coin),
    pass: (ms) => {
      ahead += ms;
    },
  };
};
