import type pg from 'pg';
import { scriptOf } from '#addresses';
import { unitsOf } from '#chains';
import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';
import type { Queryable } from '#platform/postgres';
import type { Owner } from '../parts.ts';
import { type OfLog, takeFromLog } from '../rows/of-log.ts';
import type { Payment } from '../rows/payments.ts';
import { askRescan } from '../rows/rescans.ts';
import { keptHash, readTip } from '../rows/tip.ts';
import type { Fact, History, ToldInLog } from './in-log.ts';
import { isAsFar } from './known.ts';
import { type LastTold, LEFT_OUT, lastTold } from './last-told.ts';

export type BringUpParts = {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly coin: Ticker;
  readonly told: ToldInLog;
  /** The session by which the chain is owned: no other database hears of what goes through that. */
  readonly owner: Queryable;
  /** Another one owns the chain, or nobody does. */
  readonly stopping: AbortSignal;
};

export type Asked = { readonly owner: Owner; readonly fact: Fact };

const scriptsOf = (coin: Ticker, { addresses }: History): readonly string[] => [
  ...new Set(addresses.flatMap(({ currency, address }) => (currency === coin ? (scriptOf(coin, address) ?? []) : []))),
];

const STATES = {
  seen: 'waiting',
  confirmed: 'confirmed',
  reorged: 'waiting',
  dropped: 'dropped',
  double_spent: 'replaced',
} as const satisfies Record<Fact['kind'], OfLog['state']>;

type Place = Pick<OfLog, 'state' | 'blockHash' | 'blockHeight' | 'isOfLog'>;

const placeOf = (last: Fact): Place => {
  const block = last.kind === 'confirmed' ? last.block : undefined;
  const state = STATES[last.kind];
  const isOfLog = state === 'waiting' || state === 'confirmed';
  return { state, isOfLog, blockHash: block?.hash ?? null, blockHeight: block?.height ?? null };
};

/** What this database has applied, and knows it to be in, it goes on from there with: nobody reads that block again. */
const appliedPlace = async (parts: BringUpParts, last: Fact, row: Payment | undefined): Promise<Place | undefined> => {
  const { pool, coin } = parts;
  const [hash, height] = [row?.blockHash ?? null, row?.blockHeight ?? null];
  if (hash === null || height === null || (await keptHash(pool, coin, height)) !== hash) return undefined;
  const { state } = placeOf(last);
  if (state === 'waiting' || state === 'confirmed')
    return { state: state === 'waiting' ? 'mined' : state, blockHash: hash, blockHeight: height, isOfLog: false };
  const tip = await readTip(pool, coin);
  if (tip) await askRescan(pool, { chain: coin, from: height, to: tip.height });
  return undefined;
};

/** Its story goes on under ids that nothing was told by. */
const saidBy = async (parts: BringUpParts, { last, highest, seen }: LastTold, row: Payment | undefined) => ({
  ...{ epoch: Math.max(highest, row?.epoch ?? 0) + LEFT_OUT, replaceable: seen.replaceable, seenAt: seen.at },
  ...((await appliedPlace(parts, last, row)) ?? placeOf(last)),
  replacedBy: last.kind === 'double_spent' ? last.replacedBy : null,
});

export type Answer = 'known' | 'taken' | 'not ours' | 'broken';

type About = Pick<OfLog, 'chain' | 'txid' | 'vout' | 'script' | 'depositId' | 'transactionId'>;

const takeAs = async (
  parts: BringUpParts,
  about: About,
  told: LastTold,
  row: Payment | undefined,
): Promise<'known' | 'taken' | 'not ours'> => {
  if (row && isAsFar(row, told.last, told.epoch)) return 'known';
  const amount = unitsOf(parts.coin, told.seen.amount);
  if (amount === undefined) return 'not ours';
  const said = await saidBy(parts, told, row);
  return (await takeFromLog(parts.pool, { ...about, amount, ...said }, row)) ? 'taken' : 'known';
};

/** By all that the log keeps of it: the row may be as far, and have told more since. */
export const takeOne = async (parts: BringUpParts, asked: Asked, row: Payment | undefined): Promise<Answer> => {
  const { coin, told } = parts;
  const { owner, fact } = asked;
  const { txid, vout } = fact;
  const history = await told.of(owner);
  if (!history) return 'broken';
  const facts = history.facts.filter((each) => each.txid === txid && each.vout === vout);
  const scripts = row ? [row.script] : scriptsOf(coin, history);
  for (const script of scripts) {
    const about = { chain: coin, txid, vout, script, ...owner };
    const last = lastTold(about, facts, row?.epoch ?? 0);
    if (last) return takeAs(parts, about, last, row);
  }
  return 'not ours';
};
