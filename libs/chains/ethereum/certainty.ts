import type { RpcClient } from '../rpc/client.ts';

type Sent = {
  readonly from: string;
  readonly to?: string | null;
  readonly gasPrice?: string | null;
  readonly maxFeePerGas?: string | null;
  readonly maxFeePerBlobGas?: string | null;
};
type Head = { readonly baseFeePerGas?: string | null };

/** The next block may ask for an eighth more than the last one did. */
const paysFor = ({ gasPrice, maxFeePerGas }: Sent, { baseFeePerGas }: Head): boolean =>
  BigInt(maxFeePerGas ?? gasPrice ?? 0) * 8n >= BigInt(baseFeePerGas ?? 0) * 9n;

/**
 * Whether the next block may take a transaction that is the next of its sender. What blobs cost has a market of its own.
 * Of an account that is run by code others may take what it is to pay with, while it waits; what an account with code is
 * paid fails where the code wants more gas than was sent along; and what makes a contract pays by its code alone.
 */
export const mayComeNext = async ({ call }: RpcClient, txid: string): Promise<boolean> => {
  const sent = await call<Sent | null>('eth_getTransactionByHash', txid);
  if (!sent || (sent.maxFeePerBlobGas ?? undefined) !== undefined) return false;
  const { from, to } = sent;
  if (typeof to !== 'string') return false;
  const hasCode = async (account: string): Promise<boolean> =>
    (await call<string>('eth_getCode', account, 'latest')) !== '0x';
  if (!paysFor(sent, await call<Head>('eth_getBlockByNumber', 'latest', false))) return false;
  return !(await hasCode(from)) && !(await hasCode(to));
};
