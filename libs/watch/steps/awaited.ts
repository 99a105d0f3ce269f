import { type Turn, timeOf, type Untold } from '../parts.ts';

/** Longer than a node takes to give it that is slow, over several turns. */
const LASTS_MS = 60_000;

type Looked = {
  readonly mempool: ReadonlySet<string>;
  readonly awaited: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
};

const note = (known: Untold['awaited'], { mempool, awaited, found }: Looked, now: number): void => {
  for (const txid of known.keys()) if (found.has(txid) || !mempool.has(txid)) known.delete(txid);
  for (const txid of awaited) if (!known.has(txid)) known.set(txid, { since: now, isToldOf: false });
};

/** Each once: they are seen in their block at the latest. */
export const tellAwaited = (turn: Turn, looked: Looked): void => {
  const { chain, node, logger } = turn;
  const { awaited } = turn.untold;
  const now = timeOf(turn).getTime();
  note(awaited, looked, now);
  const late = [...awaited].filter(([, { since, isToldOf }]) => !isToldOf && now - since >= LASTS_MS);
  for (const [, each] of late) each.isToldOf = true;
  const [[txid] = []] = late;
  if (txid === undefined) return;
  logger.error(
    { alert: 'chain_payment_awaited', chain: chain.coin, node: node.name, transactions: late.length, txid },
    'for a minute the node that is read has listed what pays us, and has not given all that it leans on: it is not seen before',
  );
};
