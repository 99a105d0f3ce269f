import type { RpcClient } from '../rpc/client.ts';

type Sent = {
  readonly from: string;
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxFeePerBlobGas?: string;
};
type Head = { readonly baseFeePerGas?: string };

/** The next block may ask for an eighth more than the last one did. */
const paysFor = ({ gasPrice = '0x0', maxFeePerGas = gasPrice }: Sent, { baseFeePerGas = '0x0' }: Head): boolean =>
  BigInt(maxFeePerGas) * 8n >= BigInt(baseFeePerGas) * 9n;

/**
 * Whether the next block may take a transaction that is the next of its sender. What blobs cost has a market of its own.
 * Of an account that is run by code others may take what it is to pay with, while it waits.
 */
export const mayComeNext = async ({ call }: RpcClient, txid: string): Promise<boolean> => {
  const sent = await call<Sent | null>('eth_getTransactionByHash', txid);
  if (!sent || sent.maxFeePerBlobGas !== undefined) return false;
  const head = await call<Head>('eth_getBlockByNumber', 'latest', false);
  return paysFor(sent, head) && (await call<string>('eth_getCode', sent.from, 'latest')) === '0x';
};
