import type { Rpc } from '../nodes/rpc.ts';

/** An output that pays a deposit, by what the node itself shows. */
export type Paid = { readonly key: string; readonly txid: string; readonly depositId: number; readonly amount: string };

/** What a chain and its mempool hold in the end, as its node tells it in words. No code of the product reads it. */
export type Truth = {
  readonly mined: ReadonlyMap<string, Paid & { readonly blockHash: string }>;
  readonly waiting: ReadonlyMap<string, Paid>;
  /** Who spends what only one can spend. */
  readonly spenders: ReadonlyMap<string, string>;
  readonly tip: string;
};

type Verbose = {
  readonly txid: string;
  readonly vin: readonly { readonly txid?: string; readonly vout?: number }[];
  readonly vout: readonly {
    readonly n: number;
    readonly value: number;
    readonly scriptPubKey: { readonly hex: string };
  }[];
};

const paidBy = ({ txid, vout }: Verbose, depositOf: ReadonlyMap<string, number>): Paid[] =>
  vout.flatMap(({ n, value, scriptPubKey: { hex } }) => {
    const depositId = depositOf.get(hex);
    const amount = String(Math.round(value * 1e8));
    return depositId === undefined ? [] : [{ key: `${txid}:${n}`, txid, depositId, amount }];
  });

export const utxoTruth = async (rpc: Rpc, from: number, depositOf: ReadonlyMap<string, number>): Promise<Truth> => {
  const mined = new Map<string, Paid & { blockHash: string }>();
  const waiting = new Map<string, Paid>();
  const spenders = new Map<string, string>();
  const spend = ({ txid, vin }: Verbose): void => {
    for (const input of vin) if (input.txid !== undefined) spenders.set(`${input.txid}:${input.vout}`, txid);
  };
  const height = await rpc<number>('getblockcount');
  for (let at = from; at <= height; at += 1) {
    const hash = await rpc<string>('getblockhash', at);
    for (const transaction of (await rpc<{ tx: Verbose[] }>('getblock', hash, 2)).tx) {
      spend(transaction);
      for (const paid of paidBy(transaction, depositOf)) mined.set(paid.key, { ...paid, blockHash: hash });
    }
  }
  for (const txid of await rpc<string[]>('getrawmempool')) {
    const transaction = await rpc<Verbose>('getrawtransaction', txid, 1);
    spend(transaction);
    for (const paid of paidBy(transaction, depositOf)) waiting.set(paid.key, paid);
  }
  return { mined, waiting, spenders, tip: await rpc<string>('getbestblockhash') };
};
