import { moveLogMark, readLogMark } from '../rows/of-log.ts';
import { type Payment, paymentsOf } from '../rows/payments.ts';
import { isOfWatcher } from '../signals.ts';
import type { ToldInLog } from './in-log.ts';
import { isKnown } from './known.ts';
import { type Answer, type Asked, type BringUpParts, takeOne } from './take-one.ts';

const AT_ONCE = 1_000;

const isOf =
  ({ owner: { depositId, transactionId }, fact: { txid, vout } }: Asked) =>
  (row: Payment): boolean =>
    row.txid === txid && row.vout === vout && row.depositId === depositId && row.transactionId === transactionId;

const keyOf = ({ owner, fact: { txid, vout } }: Asked): string => JSON.stringify([owner, txid, vout]);

/** Of a crowded one the history is long. */
const eachOnce = (of: ToldInLog['of']): ToldInLog['of'] => {
  const known = new Map<string, ReturnType<ToldInLog['of']>>();
  return (owner) => {
    const key = JSON.stringify(owner);
    const history = known.get(key) ?? of(owner);
    known.set(key, history);
    return history;
  };
};

type Counts = Record<Answer, number>;

const takeSome = async (parts: BringUpParts, some: ReadonlyMap<string, Asked>, counts: Counts): Promise<void> => {
  const { pool, coin } = parts;
  const rows = await paymentsOf(pool, coin, [...new Set([...some.values()].map(({ fact }) => fact.txid))]);
  const byTxid = Map.groupBy(rows, ({ txid }) => txid);
  const once = { ...parts, told: { ...parts.told, of: eachOnce(parts.told.of) } };
  for (const asked of some.values()) {
    parts.stopping.throwIfAborted();
    const row = byTxid.get(asked.fact.txid)?.find(isOf(asked));
    counts[isKnown(row, asked.fact) ? 'known' : await takeOne(once, asked, row)] += 1;
  }
};

type Some = { readonly last: ReadonlyMap<string, Asked>; readonly upTo: string };

/** Of each payment among some the last fact alone, and up to where all of theirs are. */
async function* lastFacts({ told, coin, stopping }: BringUpParts, after: string | undefined): AsyncGenerator<Some> {
  let last = new Map<string, Asked>();
  let upTo: string | undefined;
  for await (const { owner, fact, position } of told.since(coin, after, stopping)) {
    if (!isOfWatcher(fact.signalId)) continue;
    last.set(keyOf({ owner, fact }), { owner, fact });
    upTo = position;
    if (last.size < AT_ONCE) continue;
    yield { last, upTo };
    last = new Map();
  }
  if (last.size > 0 && upTo !== undefined) yield { last, upTo };
}

const moveMark = async ({ owner, coin }: BringUpParts, from: string | undefined, to: string): Promise<string> => {
  if (from === to || (await moveLogMark(owner, coin, from, to))) return to;
  throw new Error(`another watcher of ${coin}, or another database, is somewhere else in the log`);
};

const tell = ({ coin, logger }: BringUpParts, counts: Counts): void => {
  if (counts.taken > 0)
    logger.error(
      { alert: 'chain_older_than_log', chain: coin, payments: counts.taken },
      'the database knew less of a chain than the log: payments that were told are looked for anew, and nothing is told before',
    );
  if (counts['not ours'] > 0)
    logger.warn(
      { chain: coin, payments: counts['not ours'] },
      'the log knows payments by ids that no watcher of this chain tells: nothing is taken back of them',
    );
  if (counts.broken > 0)
    logger.error(
      { alert: 'chain_older_than_log', chain: coin, broken: counts.broken },
      'the database may know less of a chain than the log, where histories are broken: start the watcher again once they are mended',
    );
};

/**
 * A database that was put back beside a log that went on knows nothing of what was told since, and would neither take it back
 * nor know that one coin has paid twice. So before anything is read from the chain, what the log knows is known here, too.
 * Answers with up to where that is; undefined where some of it waits for a history to be mended, and is asked for anew by
 * whoever begins then.
 */
export const bringUp = async (parts: BringUpParts): Promise<{ readonly mark: string | undefined } | undefined> => {
  const { owner, coin, told } = parts;
  let mark = await readLogMark(owner, coin);
  const head = await told.head();
  const counts: Counts = { known: 0, taken: 0, 'not ours': 0, broken: 0 };
  for await (const { last, upTo } of lastFacts(parts, mark)) {
    await takeSome(parts, last, counts);
    // Whoever is cut off goes on from there.
    if (counts.broken === 0) mark = await moveMark(parts, mark, upTo);
  }
  tell(parts, counts);
  if (counts.broken > 0) return undefined;
  return { mark: head === undefined ? mark : await moveMark(parts, mark, head) };
};
