import { moveLogMark, readLogMark } from '../rows/of-log.ts';
import { type Payment, paymentsOf } from '../rows/payments.ts';
import { isOfWatcher } from '../signals.ts';
import { isKnown } from './known.ts';
import { type Answer, type Asked, type BringUpParts, takeOne } from './take-one.ts';

const AT_ONCE = 1_000;

const isOf =
  ({ owner: { depositId, transactionId }, fact: { txid, vout } }: Asked) =>
  (row: Payment): boolean =>
    row.txid === txid && row.vout === vout && row.depositId === depositId && row.transactionId === transactionId;

const keyOf = ({ owner, fact: { txid, vout } }: Asked): string => JSON.stringify([owner, txid, vout]);

type Counts = Record<Answer, number>;

const takeSome = async (parts: BringUpParts, some: ReadonlyMap<string, Asked>, counts: Counts): Promise<void> => {
  const { pool, coin } = parts;
  const rows = await paymentsOf(pool, coin, [...new Set([...some.values()].map(({ fact }) => fact.txid))]);
  const byTxid = Map.groupBy(rows, ({ txid }) => txid);
  for (const asked of some.values()) {
    parts.stopping.throwIfAborted();
    const row = byTxid.get(asked.fact.txid)?.find(isOf(asked));
    counts[isKnown(row, asked.fact) ? 'known' : await takeOne(parts, asked, row)] += 1;
  }
};

/** Of each payment the last fact alone, some at a time. */
async function* lastFacts({ told, coin }: BringUpParts, after: string | undefined) {
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
 * Answers with up to where that is; undefined where some of it waits for a history to be mended, and is asked for anew by
 * whoever begins then.
 */
export const bringUp = async (parts: BringUpParts): Promise<{ readonly mark: string | undefined } | undefined> => {
  const { pool, coin, told, logger } = parts;
  const mark = await readLogMark(pool, coin);
  const head = await told.head();
  const counts: Counts = { known: 0, taken: 0, 'not ours': 0, broken: 0 };
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
  if (counts.broken > 0) {
    logger.error(
      { alert: 'chain_older_than_log', chain: coin, broken: counts.broken },
      'the database may know less of a chain than the log, where histories are broken: start the watcher again once they are mended',
    );
    return undefined;
  }
  const isMoved = head !== undefined && (await moveLogMark(pool, coin, mark, head));
  return { mark: isMoved ? head : mark };
};
