import type { Outpoint } from '../chain-node.ts';
import type { RpcClient } from '../rpc/client.ts';
import { type Authorisation, type Lending, lendingOf, mayTake } from './authorisations.ts';

/** Each may be 400 kB as a text; what is left is read with the next look. */
const AT_ONCE = 25;

type Told = { readonly authorizationList?: readonly Authorisation[] | null };
type Sent = { readonly txid: string; readonly lending: Lending };

/** What waits in a pool and lends accounts code (EIP-7702), each read once: of its lists a pool is not kept. */
export const createLendings = (client: RpcClient, chainId: number | undefined) => {
  let [known, isWhole] = [new Map<string, readonly Lending[]>(), true];
  /** By the number that they use up, once for all payments that wait. */
  let byNumber = new Map<number, readonly Sent[]>();
  /** One that does not tell its chain may be of this. */
  const isOfOther = ({ chainId: id }: Authorisation): boolean => Number(id) > 0 && Number(id) !== chainId;
  return {
    look: async (txids: readonly string[]): Promise<void> => {
      const fresh = txids.filter((txid) => !known.has(txid)).slice(0, AT_ONCE);
      const told = await client.batch<Told>(fresh.map((txid) => ['eth_getTransactionByHash', txid]));
      const read = fresh.flatMap((txid, nth) => {
        const each = told[nth];
        const own = (each?.authorizationList ?? []).filter((one) => !isOfOther(one));
        return each ? [[txid, own.map(lendingOf)] as const] : [];
      });
      const all = new Map([...known, ...read]);
      known = new Map(txids.flatMap((txid) => (all.has(txid) ? [[txid, all.get(txid) ?? []] as const] : [])));
      isWhole = known.size === txids.length;
      const sent = [...known].flatMap(([txid, lendings]) => lendings.map((lending): Sent => ({ txid, lending })));
      byNumber = Map.groupBy(sent, ({ lending }) => lending.nonce);
    },
    /** Until then nobody knows what else waits. */
    isWhole: (): boolean => isWhole,
    /** Whether another may be in a block first and take this number away; undefined: that cannot be told. */
    mayTake: (outpoint: Outpoint, own: string): boolean | undefined => {
      const [account = '', nonce] = outpoint.split(':');
      const those = [Number(nonce), Number.NaN].flatMap((number) => byNumber.get(number) ?? []);
      return mayTake(
        those.filter(({ txid }) => txid !== own).map(({ lending }) => lending),
        account,
      );
    },
  };
};
