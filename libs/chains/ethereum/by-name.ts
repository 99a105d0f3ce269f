import type { ChainTransaction, Sender } from '../chain-node.ts';
import { NodeUnreadable } from '../readable.ts';
import type { RpcClient } from '../rpc/client.ts';
import { type Waiting, waitingOf } from './pool.ts';
import { provenIn } from './proven.ts';
import { accountIn, nonceIn } from './shapes.ts';
import { madeBy } from './signed.ts';

/** Of what it has not got geth sends bytes too, and none of them. */
export const rawOf = async ({ batch }: RpcClient, txid: string): Promise<string | undefined> => {
  const [raw] = await batch<string | null>([['eth_getRawTransactionByHash', txid]]);
  if (!raw || raw === '0x') return undefined;
  if (/^0x[0-9a-f]+$/i.test(raw)) return raw;
  throw new NodeUnreadable(`it sends for ${txid} what are no bytes`);
};

export const provenBy = async (
  client: RpcClient,
  chainId: number | undefined,
  txid: string,
): Promise<ChainTransaction | undefined> => {
  const raw = await rawOf(client, txid);
  return raw === undefined ? undefined : provenIn(txid, raw, chainId);
};

/** A contract that it makes is paid as well, as its block shows it. */
export const saysOf = async ({ call }: RpcClient, txid: string): Promise<ChainTransaction | undefined> => {
  const sent = await call<Waiting | null>('eth_getTransactionByHash', txid);
  if (!sent) return undefined;
  const { from, nonce, to } = sent;
  return waitingOf({ ...sent, to: to ?? madeBy(accountIn(from), nonceIn(nonce)) });
};

/** As it was read; where nobody knows whose number it takes, with whom the node says that, before what passes it on. */
export const sendersOf = async (
  client: RpcClient,
  { txid, inputs, senders }: ChainTransaction,
): Promise<readonly Sender[]> =>
  inputs.length > 0 ? senders : [...((await saysOf(client, txid))?.senders ?? [undefined]), ...senders];
