import type { Deposit } from '../floor/state.ts';
import { type ScreeningAlarm, screeningAlarms } from '../floor/words.ts';

/** The alarms that stand, but for those that an operator let this return go in spite of. */
export const standingAlarms = ({ standing, refund }: Deposit): readonly ScreeningAlarm[] => {
  const stands = { ofac_hit: standing.ofacStatus === 'hit', kyt_failed: standing.kytStatus === 'failed' };
  return screeningAlarms.filter((alarm) => stands[alarm] && !refund?.released.includes(alarm));
};

/** All that holds a return: what it is held because of, whether or not that stands still, and what stands beside it. */
export const holdsOf = (deposit: Deposit): readonly ScreeningAlarm[] => {
  const { returnHeldBecause: because } = deposit.standing;
  if (because === null) return [];
  const standing = standingAlarms(deposit);
  return screeningAlarms.filter((alarm) => alarm === because || standing.includes(alarm));
};
