import type { ReleaseReturn } from '../floor/commands.ts';
import { applied, type CommandOutcome, refused } from '../floor/outcome.ts';
import { type Deposit, stand } from '../floor/state.ts';
import type { ScreeningAlarm } from '../floor/words.ts';
import { factOf } from '../standing/fact.ts';
import { isSeen } from '../standing/since.ts';
import { holdsOf } from './holds.ts';

export type ReleaseRefusal =
  | { readonly refusal: 'return_not_held' }
  | { readonly refusal: 'return_held_for_more'; readonly unnamed: readonly ScreeningAlarm[] }
  | { readonly refusal: 'return_held_again'; readonly again: readonly ScreeningAlarm[] };

/** An operator lets a return go out that screening holds. */
export const decideRelease = (
  deposit: Deposit,
  { named, seen, now }: ReleaseReturn,
): CommandOutcome<ReleaseRefusal> => {
  const holds = holdsOf(deposit);
  if (holds.length === 0) return refused({ refusal: 'return_not_held' });
  const unnamed = named === null ? [] : holds.filter((alarm) => !named.includes(alarm));
  if (unnamed.length > 0) return refused({ refusal: 'return_held_for_more', unnamed });
  const again = holds.filter((alarm) => !isSeen(deposit, alarm, seen));
  if (again.length > 0) return refused({ refusal: 'return_held_again', again });
  return applied({
    type: 'ReturnReleased',
    data: factOf(deposit, stand(deposit, { returnHeldBecause: null }), now),
  });
};
