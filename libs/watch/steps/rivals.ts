import type { Turn } from '../parts.ts';
import type { Conflict } from '../rows/inputs.ts';
import { haveRivals, openAmong } from '../rows/rivals.ts';
import type { RivalOfMost, Rivalry } from './rivalry.ts';

const txidsOf = (conflicts: readonly Conflict[]): readonly string[] => [...new Set(conflicts.map(({ txid }) => txid))];

/**
 * What waits in a mempool and would end payments: `contested` where too few nodes have it, else named by what as many have.
 * No node ends alone what was told, since that is for good: one may make up what it shows, or have heard of another's thief
 * before the payment.
 */
export const contestedAmong = async (
  { pool, chain }: Turn,
  rivalOfMost: RivalOfMost,
  conflicts: readonly Conflict[],
): Promise<{ readonly contested: readonly Conflict[]; readonly ending: readonly Conflict[] }> => {
  if (chain.agree <= 1) return { contested: [], ending: conflicts };
  const [contested, ending]: [Conflict[], Conflict[]] = [[], []];
  for (const [txid, those] of Map.groupBy(await openAmong(pool, chain.coin, conflicts), (conflict) => conflict.txid)) {
    const { by } = await rivalOfMost(txid, [...new Set(those.map((conflict) => conflict.by))]);
    if (by === undefined) contested.push(...those);
    else ending.push({ txid, by, isByPegOut: false });
  }
  return { contested, ending };
};

/** What still waits with all that it would end: nothing of it is read again until then. */
export const stillContested = async (
  { pool, chain, rivals }: Turn,
  rivalry: Rivalry,
  rivalOfMost: RivalOfMost,
): Promise<ReadonlySet<string>> => {
  const conflicts = [...rivals].flatMap(([by, txids]) => [...txids].map((txid) => ({ txid, by })));
  const byPayment = Map.groupBy(await openAmong(pool, chain.coin, conflicts), ({ txid }) => txid);
  const left = new Set<string>();
  for (const txid of rivalry.inOrder(new Set(byPayment.keys()))) {
    const those = (byPayment.get(txid) ?? []).map(({ by }) => by);
    if ((await rivalOfMost(txid, those)).by === undefined) left.add(txid);
  }
  const waiting = [...rivals].filter(([, txids]) => [...txids].every((txid) => left.has(txid)));
  return new Set(waiting.map(([by]) => by));
};

/** Those that were not so before. */
export const newlyContested = ({ rivals }: Turn, contested: readonly Conflict[]): readonly string[] =>
  txidsOf(contested.filter(({ txid, by }) => !rivals.get(by)?.has(txid)));

/** Of each transaction that was looked at what it would end now. */
export const rememberContested = (
  { rivals }: Turn,
  looked: readonly string[],
  contested: readonly Conflict[],
): void => {
  const byRival = Map.groupBy(contested, ({ by }) => by);
  for (const by of looked) {
    const those = byRival.get(by);
    if (those) rivals.set(by, new Set(txidsOf(those)));
    else rivals.delete(by);
  }
};

export const forgetGone = ({ rivals }: Turn, mempool: ReadonlySet<string>): void => {
  for (const by of rivals.keys()) if (!mempool.has(by)) rivals.delete(by);
};

/** Whether one of them has a rival that too few nodes have for it to be told. */
export const areContested = async ({ pool, chain, rivals }: Turn, txids: readonly string[]): Promise<boolean> =>
  [...rivals.values()].some((ended) => txids.some((txid) => ended.has(txid))) || haveRivals(pool, chain.coin, txids);
