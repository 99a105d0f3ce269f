import type { ChainTransaction } from '../chain-node.ts';
import { NodeUnreadable, readOr, unless } from '../readable.ts';
import { type NodePlace, type RpcClient, rpcClient } from '../rpc/client.ts';
import { lacksMethod } from '../rpc/errors.ts';
import { createPoolSift } from './pool-sift.ts';
import { accountIn, amountIn, hashIn, nonceIn } from './shapes.ts';

type Sent = { readonly hash: string; readonly from: string; readonly nonce: string };
export type Waiting = Sent & {
  readonly to: string | null;
  readonly value: string;
  readonly type?: string;
};

export const outpointOf = ({ from, nonce }: Sent): string => `${accountIn(from)}:${nonceIn(nonce)}`;

/** Two of one sender with the same number exclude each other, whatever else they are. */
export const account = (sent: Sent) => ({
  txid: hashIn(sent.hash),
  inputs: [outpointOf(sent)],
  replaceable: false,
  isPegOut: false,
  raw: undefined,
});

export const waitingOf = (sent: Waiting): ChainTransaction => ({
  ...account(sent),
  outputs:
    sent.to === null || amountIn(sent.value) === 0n
      ? []
      : [{ vout: 0, script: accountIn(sent.to), amount: amountIn(sent.value) }],
  senders: [accountIn(sent.from)],
});

type Kept = Sent & { readonly blockHash?: string | null };

type ByNonce = Readonly<Record<string, Waiting>>;
type Pool = { readonly pending: Readonly<Record<string, ByNonce>> };

/** Each may bring 128 kB of input, twice that as a text, and thousands wait: of it nothing is kept. */
const MOST_POOL = 512 * 2 ** 20;
const SHARE_KEPT = 1 / 16;

export const poolingAt = (place: NodePlace): RpcClient => {
  const { mostBytes = MOST_POOL } = place;
  return rpcClient({ ...place, mostBytes }, () => ({ sift: createPoolSift(), mostKept: mostBytes * SHARE_KEPT }));
};

/** Of EIP-7702. */
const LENDS = 4;

/** What waits, by its id: a node tells all of it at once, and is not asked again for each. */
export const waiting = async ({ call }: RpcClient) => {
  const { pending } = await call<Pool>('txpool_content');
  const all = Object.entries(pending).flatMap(([from, byNonce]) =>
    Object.values(byNonce).map((sent) => ({ ...sent, from })),
  );
  const transactions = all.map((sent) => readOr(hashIn(sent.hash), () => waitingOf(sent)));
  return {
    pool: new Map(transactions.map((transaction) => [transaction.txid, transaction])),
    lending: all.filter(({ type }) => Number(type) === LENDS).map(({ hash }) => hashIn(hash)),
  };
};

/** Of one sender, where a node tells that alone; undefined where it tells all that waits, or nothing. */
const waitingFrom = ({ call }: RpcClient, sender: string): Promise<{ readonly pending: ByNonce } | undefined> =>
  unless(lacksMethod, call<{ readonly pending: ByNonce }>('txpool_contentFrom', sender));

export const spendersOf = async (client: RpcClient, outpoints: readonly string[]): Promise<readonly string[]> => {
  const senders = new Set(outpoints.map((outpoint) => outpoint.split(':')[0] ?? ''));
  const spenders: string[] = [];
  for (const from of senders) {
    const told = await waitingFrom(client, from);
    if (!told) {
      const all = [...(await waiting(client)).pool.values()];
      return all.flatMap(({ txid, inputs }) => (inputs.some((each) => outpoints.includes(each)) ? [txid] : []));
    }
    for (const { hash, nonce } of Object.values(told.pending))
      if (outpoints.includes(outpointOf({ hash, from, nonce }))) spenders.push(hashIn(hash));
  }
  return spenders;
};

/** That the next transaction of a sender has to have. */
export const nextNumber = async ({ call }: RpcClient, sender: string): Promise<number> => {
  const next = await call<string>('eth_getTransactionCount', sender, 'latest');
  if (!/^0x[0-9a-f]+$/i.test(next)) throw new NodeUnreadable(`it tells no number of ${sender}`);
  return Number(next);
};

type Receipt = { readonly blockHash: string; readonly status?: string | null };

export const landedIn = async ({ call }: RpcClient, txid: string): Promise<string | undefined> => {
  const receipt = await call<Receipt | null>('eth_getTransactionReceipt', txid);
  return receipt && Number(receipt.status) === 1 ? receipt.blockHash : undefined;
};

export const failedIn = async ({ call }: RpcClient, txid: string): Promise<string | undefined> => {
  const receipt = await call<Receipt | null>('eth_getTransactionReceipt', txid);
  return receipt?.status === '0x0' ? receipt.blockHash : undefined;
};

type Mined = { readonly hash: string; readonly transactions: readonly Sent[] };

/** Of a block without its calls, which take a node long to tell. */
export const spendingOf = async ({ call }: RpcClient, hash: string) => {
  const block = await call<Mined | null>('eth_getBlockByHash', hash, true);
  if (block && block.hash !== hash) throw new NodeUnreadable('it gives another block than was asked for');
  return block?.transactions.map(account);
};

/** Behind a number that its sender left out, or without the money for it, it is kept and does not wait to be mined. */
export const isWaiting = async (client: RpcClient, pooling: RpcClient, txid: string): Promise<boolean> => {
  const sent = await client.call<Kept | null>('eth_getTransactionByHash', txid);
  if (!sent) return false;
  if ((sent.blockHash ?? undefined) !== undefined) return true;
  return (await spendersOf(pooling, [outpointOf(sent)])).includes(txid);
};

/** Those that a block has used up. */
export const usedNumbers = async ({ batch }: RpcClient, outpoints: readonly string[]): Promise<readonly string[]> => {
  const next = await batch<string>(outpoints.map((each) => ['eth_getTransactionCount', each.split(':')[0], 'latest']));
  return outpoints.filter((each, nth) => Number(each.split(':')[1]) < Number(next[nth]));
};
