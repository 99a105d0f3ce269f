import type { ReleaseReturn } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import { type Deposit, stand } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';

export type ReleaseRefusal = { readonly refusal: 'return_not_held' };

/** An operator lets a return go out that screening holds. */
export const decideRelease = (deposit: Deposit, { now }: ReleaseReturn): CommandOutcome<ReleaseRefusal> => {
  if (deposit.standing.returnHeldBecause === null) return refused({ refusal: 'return_not_held' });
  return applied({
    type: 'ReturnReleased',
    data: factOf(deposit, stand(deposit, { returnHeldBecause: null }), now),
  });
};
