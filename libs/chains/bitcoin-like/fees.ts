import { type Amount, amount } from '#money';
import { shown } from '../checked-hash.ts';
import { NodeUnreadable } from '../readable.ts';
import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';

type Fee = string | number;
type Entry = {
  readonly vsize?: number;
  /** With all that it leans on. */
  readonly ancestorsize?: number;
  readonly fees: { readonly base: Fee; readonly ancestor?: Fee };
};
type MempoolInfo = { readonly bytes: number; readonly mempoolminfee: Fee };
type Estimate = { readonly feerate?: Fee };

/** What one block takes. While all that waits fits into it, whoever pays the floor is in the next. */
const BLOCK_VBYTES = 1_000_000;
/** "The node's estimate for the next few blocks." */
const FEW = 3;

/** What stands in front of a node may write it with an exponent; what an operator puts behind others is told to pay less than nothing. */
const WRITTEN = /^-?\d{1,20}(?:\.\d{1,40})?(?:e-?\d{1,2})?$/i;

/** In coin. A float is off by a hair, and at one satoshi a byte half of all sizes lie on the wrong side of it. */
const feeIn = (told: Fee): Amount => {
  if (WRITTEN.test(String(told))) return amount(String(told));
  throw new NodeUnreadable(`it tells a fee that is none: ${shown(told)}`);
};

/** Per 1000 bytes. */
const pays = (fee: Fee, size: number, required: Amount): boolean => feeIn(fee).times(1_000).gte(required.times(size));

/** What it leans on is mined before it: where that pays little, it waits behind it, whatever it pays itself. */
const paysFor = ({ ancestorsize, fees: { base, ancestor } }: Entry, vsize: number, required: Amount): boolean =>
  pays(base, vsize, required) && (!ancestorsize || ancestor === undefined || pays(ancestor, ancestorsize, required));

const requiredOf = async ({ call }: RpcClient): Promise<Amount | undefined> => {
  const { bytes, mempoolminfee } = await call<MempoolInfo>('getmempoolinfo');
  if (bytes <= BLOCK_VBYTES) return feeIn(mempoolminfee);
  const { feerate } = await call<Estimate>('estimatesmartfee', FEW);
  return feerate === undefined ? undefined : feeIn(feerate);
};

/** The guard of fast deposits on what a payment pays for its place in a block. */
export const feeDoubt = async (client: RpcClient, txid: string): Promise<string | undefined> => {
  try {
    const entry = await client.call<Entry>('getmempoolentry', txid);
    const required = await requiredOf(client);
    if (required === undefined || !entry.vsize) return 'the node has no estimate of fees';
    return paysFor(entry, entry.vsize, required) ? undefined : 'the fee rate is below the estimate for the next blocks';
  } catch (error) {
    if (error instanceof NodeRefused || error instanceof NodeUnreadable) return 'the node cannot tell what it pays';
    throw error;
  }
};
