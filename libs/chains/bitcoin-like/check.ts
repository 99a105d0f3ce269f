import type { RpcClient } from '../rpc/client.ts';
import { type BitcoinLikeCoin, genesisOf, landmarkOf } from './networks.ts';

/** Undefined when it is a node of that network. */
export const checkNetwork = async (
  { call, name }: RpcClient,
  { coin, network }: { readonly coin: BitcoinLikeCoin; readonly network: string },
): Promise<string | undefined> => {
  const first = await call<string>('getblockhash', 0);
  if (first !== genesisOf(coin, network))
    return `${name} is not of ${coin}'s network ${network}: it begins with ${first}`;
  const landmark = landmarkOf(coin, network);
  if (!landmark || (await call<number>('getblockcount')) < landmark.height) return undefined;
  const there = await call<string>('getblockhash', landmark.height);
  return there === landmark.hash ? undefined : `${name} is not of ${coin}: its block ${landmark.height} is ${there}`;
};
