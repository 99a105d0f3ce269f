import type { Deposit } from '../floor/state.ts';
import { type ScreeningAlarm, screeningAlarms } from '../floor/words.ts';

const alarmsOf = ({ standing }: Deposit): readonly ScreeningAlarm[] => {
  const stands = { ofac_hit: standing.ofacStatus === 'hit', kyt_failed: standing.kytStatus === 'failed' };
  return screeningAlarms.filter((alarm) => stands[alarm]);
};

/** The alarms that stand, but for those that an operator let this return go in spite of. */
export const standingAlarms = (deposit: Deposit): readonly ScreeningAlarm[] =>
  alarmsOf(deposit).filter((alarm) => !deposit.refund?.released.includes(alarm));

/** A release is of what stood at it, and only while that stands: what was overruled and comes up again holds anew. */
export const keepReturnReleased = (deposit: Deposit): Deposit => {
  const { refund } = deposit;
  if (!refund || refund.released.length === 0) return deposit;
  const alarms = alarmsOf(deposit);
  return { ...deposit, refund: { ...refund, released: refund.released.filter((alarm) => alarms.includes(alarm)) } };
};

/** All that holds a return: what it is held because of, whether or not that stands still, and what stands beside it. */
export const holdsOf = (deposit: Deposit): readonly ScreeningAlarm[] => {
  const { returnHeldBecause: because } = deposit.standing;
  if (because === null) return [];
  const standing = standingAlarms(deposit);
  return screeningAlarms.filter((alarm) => alarm === because || standing.includes(alarm));
};
