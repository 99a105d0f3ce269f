import type { ChainNode } from '#chains';
import type { WatchedChain } from '../chain.ts';
import { PATIENCE_MS } from '../nodes/silent.ts';
import { AT_ONCE } from './ancestors.ts';
import { isWaitingAt } from './witnesses.ts';

/** The bytes of a transaction, as some node gave them: of its witness there may be others. */
export type Elder = { readonly txid: string; readonly raw: string };

/** A transaction as it is sent, and the bytes of what it leans on, the eldest first. */
export type Sending = { readonly raw: string; readonly before: readonly Elder[] };

/** A node that answers each question may be asked too many for the time of one: that says nothing of the payment. */
export type Taken = boolean | 'not yet';

/** So much of the time of one answer is left for the last. */
const ROOM_MS = 300;
/** As many times as long as the slowest before. */
const SLOWER = 1.5;

type Ask = <T>(question: () => Promise<T>) => Promise<T>;

const createTime = (): { readonly ask: Ask; readonly isOver: () => boolean } => {
  const until = performance.now() + PATIENCE_MS;
  let room = ROOM_MS;
  return {
    ask: async (question) => {
      const from = performance.now();
      const answer = await question();
      room = Math.max(room, SLOWER * (performance.now() - from));
      return answer;
    },
    isOver: () => performance.now() + room >= until,
  };
};

/**
 * What was sent it before counts: to a node far away a turn has time for some of it. What waits there: of an index it gives
 * what was in a block that it gave up, too, and takes nothing that spends that.
 */
const hadBy = async (node: ChainNode, txids: readonly string[]): Promise<ReadonlySet<string>> => {
  const waiting = await Promise.all(txids.map((txid) => isWaitingAt(node, txid)));
  return new Set(txids.filter((_, nth) => waiting[nth]));
};

type Offering = { readonly offered: Set<string>; readonly ask: Ask };

/** Each with its bytes, of which a node lacks it that is asked. */
async function* lackedBy(node: ChainNode, before: readonly Elder[], { offered, ask }: Offering) {
  const elders = Map.groupBy(before, ({ txid }) => txid);
  const open = [...elders.keys()].filter((txid) => !offered.has(txid));
  for (let from = 0; from < open.length; from += AT_ONCE) {
    const some = open.slice(from, from + AT_ONCE);
    const had = await ask(() => hadBy(node, some));
    for (const txid of had) offered.add(txid);
    for (const txid of some) if (!had.has(txid)) yield { txid, those: elders.get(txid) ?? [] };
  }
}

/**
 * Whether a node takes it, or has it: one that has lost its mempool takes nothing whose parents it has not got. Where a name
 * does not prove the bytes, what it has then may be another by that name. `offered`: what it had, or was sent, already of
 * what the payment leans on, for whoever goes on later.
 */
export const give = async (
  node: ChainNode,
  { raw, before }: Sending,
  offered: Set<string> = new Set(),
): Promise<Taken> => {
  const { ask, isOver } = createTime();
  let sent = 0;
  for await (const { txid, those } of lackedBy(node, before, { offered, ask })) {
    // However slow it is, it is sent one.
    if (sent > 0 && isOver()) return 'not yet';
    sent += 1;
    // What it says of these says nothing of the payment: it may have them, in a block too.
    for (const elder of those) if ((await ask(() => node.submit(elder.raw))).isIn) break;
    offered.add(txid);
  }
  return sent > 0 && isOver() ? 'not yet' : (await node.submit(raw)).isIn;
};

/**
 * What a node of Ethereum says of a submission leaves open what it has then: the name does not prove the bytes, which may be
 * of another one, and one behind a number that its sender left out it keeps, though that does not wait to be mined.
 */
export const hasOnceTaken = async (
  coin: WatchedChain['coin'],
  node: ChainNode,
  txid: string,
  taken: Taken,
): Promise<Taken> => (taken === true && coin === 'ETH' ? isWaitingAt(node, txid) : taken);
