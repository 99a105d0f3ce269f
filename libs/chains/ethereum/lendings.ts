import type { Outpoint } from '../chain-node.ts';
import type { RpcClient } from '../rpc/client.ts';
import { type Authorisation, mayTake } from './authorisations.ts';

/** Each may be 400 kB as a text; what is left is read with the next look. */
const AT_ONCE = 25;

type Told = { readonly authorizationList?: readonly Authorisation[] | null };

/** What waits in a pool and lends accounts code (EIP-7702), each read once: of its lists a pool is not kept. */
export const createLendings = (client: RpcClient, chainId: number | undefined) => {
  let [known, isWhole] = [new Map<string, readonly Authorisation[]>(), true];
  const isOfChain = ({ chainId: id }: Authorisation): boolean => Number(id) === 0 || Number(id) === chainId;
  return {
    look: async (txids: readonly string[]): Promise<void> => {
      const fresh = txids.filter((txid) => !known.has(txid)).slice(0, AT_ONCE);
      const told = await client.batch<Told>(fresh.map((txid) => ['eth_getTransactionByHash', txid]));
      const read = fresh.flatMap((txid, nth) => {
        const each = told[nth];
        return each ? [[txid, (each.authorizationList ?? []).filter(isOfChain)] as const] : [];
      });
      const all = new Map([...known, ...read]);
      known = new Map(txids.flatMap((txid) => (all.has(txid) ? [[txid, all.get(txid) ?? []] as const] : [])));
      isWhole = known.size === txids.length;
    },
    /** Until then nobody knows what else waits. */
    isWhole: (): boolean => isWhole,
    /** Whether another may be in a block first and take this number away; undefined: that cannot be told. */
    mayTake: (outpoint: Outpoint, own: string): boolean | undefined =>
      mayTake(
        [...known].flatMap(([txid, authorisations]) => (txid === own ? [] : authorisations)),
        outpoint,
      ),
  };
};
