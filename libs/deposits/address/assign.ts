import type { AssignAddress } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import type { Deposit } from '../floor/state.ts';
import { isAfter } from '../floor/time.ts';
import { refOf } from '../standing/fact.ts';

export type AssignRefusal = { readonly refusal: 'address_already_assigned' | 'quote_expired' };

/** A deposit that found the pool empty gets its address as soon as there is one, while it is unexpired. */
export const decideAssign = (deposit: Deposit, { address, now }: AssignAddress): CommandOutcome<AssignRefusal> => {
  if (deposit.address !== null) return refused({ refusal: 'address_already_assigned' });
  if (deposit.expired || isAfter(now, deposit.terms.expiresAt)) return refused({ refusal: 'quote_expired' });
  return applied({ type: 'AddressAssigned', data: { deposit: refOf(deposit), at: now, address } });
};
