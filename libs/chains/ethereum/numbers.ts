import type { Outpoint } from '../chain-node.ts';
import { accountIn } from './shapes.ts';
import type { Accounts, Difference } from './state.ts';

/** Nothing raises more of them within the gas of a block. */
const MOST = 10_000;

/** Some nodes write it as a number, others as a text; an account that is not there has used none. */
const nextOf = (accounts: Accounts): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(accounts).flatMap(([address, { nonce }]) => {
      const next = Number(nonce);
      return Number.isSafeInteger(next) ? [[accountIn(address), next] as const] : [];
    }),
  );

/**
 * Numbers of accounts that a transaction used up, its own (`own`) among them. By an authorisation (EIP-7702) whoever has
 * it takes one of somebody else's, and code that is lent to an account takes them by what it creates. None where the
 * state does not tell its own: it would end payments that are none the worse.
 */
export const usedUpBy = (own: Outpoint, { pre, post }: Difference): readonly Outpoint[] => {
  const before = nextOf(pre);
  const used = [...nextOf(post)].flatMap(([account, next]) => {
    const first = before.get(account) ?? 0;
    const length = Math.min(Math.max(next - first, 0), MOST);
    return Array.from({ length }, (_, nth) => `${account}:${first + nth}`);
  });
  return used.includes(own) ? used : [];
};
