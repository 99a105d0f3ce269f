import type { Alert } from '../floor/events.ts';
import { type Deposit, stand } from '../floor/state.ts';
import type { Instant } from '../floor/time.ts';
import type { ScreeningAlarm } from '../floor/words.ts';

const returnUnderWay = ({ refund }: Deposit): boolean => refund?.progress === 'queued';

/** A hit or a failure freezes a pending deposit at once, and holds a return that was not broadcast yet. */
export const raiseAlarm = (deposit: Deposit, alarm: ScreeningAlarm, now: Instant): Deposit => {
  if (deposit.standing.decision === 'pending')
    return stand(deposit, { decision: 'frozen', decisionAt: now, frozenBecause: alarm });
  return returnUnderWay(deposit) ? stand(deposit, { returnHeldBecause: alarm }) : deposit;
};

export const alarmAlert = ({ standing }: Deposit, after: Deposit): Alert | false => {
  if (standing.decision === 'pending') return false;
  return after.standing.returnHeldBecause === null ? 'screening_alarm_after_decision' : 'return_held';
};
