import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';
import { amountIn } from './shapes.ts';

type Receipt = {
  readonly status: string;
  readonly blockHash: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly blobGasUsed?: string;
  readonly blobGasPrice?: string;
};

/** What a transaction cost its sender, and what of that whoever made the block got. */
export type Fee = { readonly hasFailed: boolean; readonly gas: bigint; readonly cost: bigint; readonly tip: bigint };
export type Fees = ReadonlyMap<string, Fee>;

type FeesOf = {
  readonly hash: string;
  readonly baseFeePerGas?: string;
  readonly transactions: readonly { readonly hash: string }[];
};

const RECEIPT = 'eth_getTransactionReceipt';

const feeOf = (receipt: Receipt, baseFeePerGas = '0x0'): Fee => {
  const { status, blobGasUsed = '0x0', blobGasPrice = '0x0' } = receipt;
  const [gas, price] = [amountIn(receipt.gasUsed), amountIn(receipt.effectiveGasPrice)];
  return {
    hasFailed: status === '0x0',
    gas,
    cost: gas * price + amountIn(blobGasUsed) * amountIn(blobGasPrice),
    tip: gas * (price - amountIn(baseFeePerGas)),
  };
};

/** A node ends an answer to many questions where it grows too long for it: what it left out is asked for again. */
export const feesOf = async ({ batch, call }: RpcClient, block: FeesOf): Promise<Fees> => {
  const fees = new Map<string, Fee>();
  const take = (hash: string, receipt: Receipt | null): void => {
    if (receipt?.blockHash !== block.hash || !['0x0', '0x1'].includes(receipt.status))
      throw new NodeRefused(RECEIPT, 0, `${hash} of ${block.hash} has no receipt`);
    fees.set(hash, feeOf(receipt, block.baseFeePerGas));
  };
  for (let left = block.transactions; left.length > 0; left = left.filter(({ hash }) => !fees.has(hash))) {
    const receipts = await batch<Receipt | null>(left.map(({ hash }) => [RECEIPT, hash]));
    for (const [nth, { hash }] of left.entries()) {
      const receipt = receipts[nth];
      if (receipt !== undefined) take(hash, receipt);
    }
    const [first] = left;
    if (first && !fees.has(first.hash)) take(first.hash, await call<Receipt | null>(RECEIPT, first.hash));
  }
  return fees;
};
