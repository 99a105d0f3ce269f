import type pg from 'pg';
import { scriptOf } from '#addresses';
import { unitsOf } from '#chains';
import type { Position } from '#event-log';
import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';
import type { Owner } from '../parts.ts';
import { moveLogMark, type OfLog, readLogMark, takeFromLog } from '../rows/of-log.ts';
import { type Payment, paymentsOf } from '../rows/payments.ts';
import { isOfWatcher } from '../signals.ts';
import type { Fact, History, ToldInLog } from './in-log.ts';
import { isAsFar, isKnown } from './known.ts';
import { type LastTold, lastTold } from './last-told.ts';

export type BringUpParts = {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly coin: Ticker;
  readonly told: ToldInLog;
};

const AT_ONCE = 1_000;

type Asked = { readonly owner: Owner; readonly fact: Fact };

const isOf =
  ({ owner: { depositId, transactionId }, fact: { txid, vout } }: Asked) =>
  (row: Payment): boolean =>
    row.txid === txid && row.vout === vout && row.depositId === depositId && row.transactionId === transactionId;

const scriptsOf = (coin: Ticker, { addresses }: History): readonly string[] => [
  ...new Set(addresses.flatMap(({ currency, address }) => (currency === coin ? (scriptOf(coin, address) ?? []) : []))),
];

const STATES = {
  ...{ seen: 'waiting', confirmed: 'confirmed', reorged: 'waiting', dropped: 'dropped', double_spent: 'replaced' },
} as const satisfies Record<Fact['kind'], OfLog['state']>;

/** Its story goes on under ids that nothing was told by. */
const saidBy = ({ last, highest, seen }: LastTold) => ({
  ...{ epoch: highest + 1, state: STATES[last.kind], replaceable: seen.replaceable, seenAt: seen.at },
  blockHash: last.kind === 'confirmed' ? last.block.hash : null,
  blockHeight: last.kind === 'confirmed' ? last.block.height : null,
  replacedBy: last.kind === 'double_spent' ? last.replacedBy : null,
});

type Answer = 'known' | 'taken' | 'not ours';

/** By all that the log keeps of it: the row may be as far, and have told more since. */
const takeOne = async ({ pool, coin, told }: BringUpParts, asked: Asked, row: Payment | undefined): Promise<Answer> => {
  const { owner, fact } = asked;
  const { txid, vout } = fact;
  const history = await told.of(owner);
  const facts = history.facts.filter((each) => each.txid === txid && each.vout === vout);
  const scripts = row ? [row.script] : scriptsOf(coin, history);
  for (const script of scripts) {
    const about = { chain: coin, txid, vout, script, ...owner };
    const last = lastTold(about, facts, row?.epoch ?? 0);
    const amount = last && unitsOf(coin, last.seen.amount);
    if (!last || amount === undefined) continue;
    if (row && isAsFar(row, last.last, last.epoch)) return 'known';
    const said = saidBy({ ...last, highest: Math.max(last.highest, row?.epoch ?? 0) });
    await takeFromLog(pool, { ...about, amount, ...said });
    return 'taken';
  }
  return scripts.length === 0 ? 'known' : 'not ours';
};

const keyOf = ({ owner, fact: { txid, vout } }: Asked): string => JSON.stringify([owner, txid, vout]);

type Counts = Record<Answer, number>;

const takeSome = async (parts: BringUpParts, some: ReadonlyMap<string, Asked>, counts: Counts): Promise<void> => {
  const { pool, coin } = parts;
  const rows = await paymentsOf(pool, coin, [...new Set([...some.values()].map(({ fact }) => fact.txid))]);
  const byTxid = Map.groupBy(rows, ({ txid }) => txid);
  for (const asked of some.values()) {
    const row = byTxid.get(asked.fact.txid)?.find(isOf(asked));
    counts[isKnown(row, asked.fact) ? 'known' : await takeOne(parts, asked, row)] += 1;
  }
};

/** Of each payment the last fact alone, some at a time. */
async function* lastFacts({ told, coin }: BringUpParts, after: Position | undefined) {
  let last = new Map<string, Asked>();
  for await (const asked of told.since(coin, after)) {
    if (!isOfWatcher(asked.fact.signalId)) continue;
    last.set(keyOf(asked), asked);
    if (last.size < AT_ONCE) continue;
    yield last;
    last = new Map();
  }
  if (last.size > 0) yield last;
}

/**
 * A database that was put back beside a log that went on knows nothing of what was told since, and would neither take it back
 * nor know that one coin has paid twice. So before anything is read from the chain, what the log knows is known here, too.
 * Answers with up to where that is.
 */
export const bringUp = async (parts: BringUpParts): Promise<Position | undefined> => {
  const { pool, coin, told, logger } = parts;
  const mark = await readLogMark(pool, coin);
  const head = await told.head();
  const counts: Counts = { known: 0, taken: 0, 'not ours': 0 };
  for await (const some of lastFacts(parts, mark)) await takeSome(parts, some, counts);
  if (counts.taken > 0)
    logger.error(
      { alert: 'chain_older_than_log', chain: coin, payments: counts.taken },
      'the database knew less of a chain than the log: payments that were told are looked for anew, and nothing is told before',
    );
  if (counts['not ours'] > 0)
    logger.warn(
      { chain: coin, payments: counts['not ours'] },
      'the log knows payments that no watcher of this chain told: nothing is taken back of them',
    );
  if (head === undefined) return mark;
  return (await moveLogMark(pool, coin, mark, head)) ? head : mark;
};
