import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';

type Fee = string | number;
type Entry = {
  readonly vsize?: number;
  /** With all that it leans on. */
  readonly ancestorsize?: number;
  readonly fees: { readonly base: Fee; readonly ancestor?: Fee };
};
type MempoolInfo = { readonly bytes: number; readonly mempoolminfee: string | number };
type Estimate = { readonly feerate?: string | number };

/** What one block takes. While all that waits fits into it, whoever pays the floor is in the next. */
const BLOCK_VBYTES = 1_000_000;
/** "The node's estimate for the next few blocks." */
const FEW = 3;

/** Rates are compared and never added: a float serves. Coin per 1000 bytes. */
const rate = (each: Fee): number => Number(each);

const per1000 = (fee: Fee, size: number): number => (rate(fee) * 1_000) / size;

/** What it leans on is mined before it: where that pays little, it waits behind it, whatever it pays itself. */
const paidBy = ({ ancestorsize, fees: { base, ancestor } }: Entry, vsize: number): number =>
  Math.min(per1000(base, vsize), ancestorsize && ancestor !== undefined ? per1000(ancestor, ancestorsize) : Infinity);

const requiredOf = async ({ call }: RpcClient): Promise<number | undefined> => {
  const { bytes, mempoolminfee } = await call<MempoolInfo>('getmempoolinfo');
  if (bytes <= BLOCK_VBYTES) return rate(mempoolminfee);
  const { feerate } = await call<Estimate>('estimatesmartfee', FEW);
  return feerate === undefined ? undefined : rate(feerate);
};

/** The guard of fast deposits on what a payment pays for its place in a block. */
export const feeDoubt = async (client: RpcClient, txid: string): Promise<string | undefined> => {
  try {
    const entry = await client.call<Entry>('getmempoolentry', txid);
    const required = await requiredOf(client);
    if (required === undefined || !entry.vsize) return 'the node has no estimate of fees';
    return paidBy(entry, entry.vsize) < required ? 'the fee rate is below the estimate for the next blocks' : undefined;
  } catch (error) {
    if (error instanceof NodeRefused) return 'the node cannot tell what it pays';
    throw error;
  }
};
