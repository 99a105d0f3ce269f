import type { Rpc } from '../nodes/rpc.ts';

/** An output that pays a deposit, by what the node itself shows. */
export type Paid = { readonly key: string; readonly txid: string; readonly depositId: number; readonly amount: string };

/** What a chain and its mempool hold in the end, as its node tells it in words. No code of the product reads it. */
export type Truth = {
  readonly mined: ReadonlyMap<string, Paid & { readonly blockHash: string }>;
  readonly waiting: ReadonlyMap<string, Paid>;
  /** Who spends what only one can spend. */
  readonly spenders: ReadonlyMap<string, string>;
  /** Every transaction in a block, whatever it pays. */
  readonly included: ReadonlySet<string>;
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
  const included = new Set<string>();
  const spend = ({ txid, vin }: Verbose): void => {
    for (const input of vin) if (input.txid !== undefined) spenders.set(`${input.txid}:${input.vout}`, txid);
  };
  const height = await rpc<number>('getblockcount');
  for (let at = from; at <= height; at += 1) {
    const hash = await rpc<string>('getblockhash', at);
    for (const transaction of (await rpc<{ tx: Verbose[] }>('getblock', hash, 2)).tx) {
      spend(transaction);
      included.add(transaction.txid);
      for (const paid of paidBy(transaction, depositOf)) mined.set(paid.key, { ...paid, blockHash: hash });
    }
  }
  for (const txid of await rpc<string[]>('getrawmempool')) {
    const transaction = await rpc<Verbose>('getrawtransaction', txid, 1);
    spend(transaction);
    for (const paid of paidBy(transaction, depositOf)) waiting.set(paid.key, paid);
  }
  return { mined, waiting, spenders, included, tip: await rpc<string>('getbestblockhash') };
};

type Sent = {
  readonly hash: string;
  readonly from: string;
  readonly nonce: string;
  readonly to: string | null;
  readonly value: string;
  readonly input: string;
};

/** What contracts passed on to deposits in a block. */
type Witness = (
  rpc: Rpc,
  number: string,
  transactions: readonly Sent[],
  depositOf: ReadonlyMap<string, number>,
) => Promise<readonly Paid[]>;

type Trace = {
  readonly transactionHash: string;
  readonly type: string;
  readonly error?: string;
  readonly traceAddress: readonly number[];
  readonly action: { readonly callType?: string; readonly to?: string; readonly value?: string };
};

/** By the traces in the words of another tracer than the product asks. */
export const byTraces: Witness = async (rpc, number, _, depositOf) => {
  const traces = await rpc<Trace[]>('trace_block', number);
  const sums = new Map<string, Paid>();
  const failed = new Set(traces.flatMap(({ error, transactionHash }) => (error ? [transactionHash] : [])));
  for (const { transactionHash: txid, type, traceAddress, action } of traces) {
    const depositId = depositOf.get(action.to?.toLowerCase() ?? '');
    const isCall = type === 'call' && action.callType === 'call' && traceAddress.length > 0;
    if (!isCall || depositId === undefined || failed.has(txid)) continue;
    const key = `${txid}:1`;
    const amount = String(BigInt(sums.get(key)?.amount ?? 0) + BigInt(action.value ?? 0));
    sums.set(key, { key, txid, depositId, amount });
  }
  return [...sums.values()];
};

/** By what each contract of the test does with what it is sent, and by the balances that it comes to. */
export const byBalances: Witness = async (rpc, number, transactions, depositOf) => {
  const paid: Paid[] = [];
  const sums = new Map<string, bigint>();
  const add = (to: string, value: bigint) => sums.set(to, (sums.get(to) ?? 0n) + value);
  for (const { hash: txid, to, value, input } of transactions) {
    const direct = to?.toLowerCase() ?? '';
    if (depositOf.has(direct)) add(direct, BigInt(value));
    const named = `0x${input.slice(-40)}`;
    const depositId = depositOf.get(named);
    const { status } = await rpc<{ status: string }>('eth_getTransactionReceipt', txid);
    if (depositId === undefined || status !== '0x1') continue;
    add(named, BigInt(value));
    paid.push({ key: `${txid}:1`, txid, depositId, amount: String(BigInt(value)) });
  }
  const before = `0x${(Number(number) - 1).toString(16)}`;
  for (const address of depositOf.keys()) {
    const at = async (block: string) => BigInt(await rpc<string>('eth_getBalance', address, block));
    const gained = (await at(number)) - (await at(before));
    if (gained !== (sums.get(address) ?? 0n)) throw new Error(`${address} gained ${gained} in ${number}: by what?`);
  }
  return paid;
};

export const ethereumTruth = async (
  rpc: Rpc,
  depositOf: ReadonlyMap<string, number>,
  passedOn: Witness,
): Promise<Truth> => {
  const mined = new Map<string, Paid & { blockHash: string }>();
  const waiting = new Map<string, Paid>();
  const spenders = new Map<string, string>();
  const included = new Set<string>();
  const sentBy = ({ hash: txid, from, nonce, to, value }: Sent): Paid[] => {
    spenders.set(`${from.toLowerCase()}:${Number(nonce)}`, txid);
    const depositId = depositOf.get(to?.toLowerCase() ?? '');
    return depositId === undefined ? [] : [{ key: `${txid}:0`, txid, depositId, amount: String(BigInt(value)) }];
  };
  const height = Number(await rpc<string>('eth_blockNumber'));
  for (let at = 0; at <= height; at += 1) {
    const number = `0x${at.toString(16)}`;
    const { hash, transactions } = await rpc<{ hash: string; transactions: Sent[] }>(
      'eth_getBlockByNumber',
      number,
      true,
    );
    if (transactions.length === 0) continue;
    for (const { hash: txid } of transactions) included.add(txid);
    const inner = await passedOn(rpc, number, transactions, depositOf);
    for (const paid of [...transactions.flatMap(sentBy), ...inner]) mined.set(paid.key, { ...paid, blockHash: hash });
  }
  const { pending } = await rpc<{ pending: Record<string, Record<string, Sent>> }>('txpool_content');
  for (const sent of Object.values(pending).flatMap((byNonce) => Object.values(byNonce)))
    for (const paid of sentBy(sent)) waiting.set(paid.key, paid);
  const { hash: tip } = await rpc<{ hash: string }>('eth_getBlockByNumber', 'latest', false);
  return { mined, waiting, spenders, included, tip };
};
