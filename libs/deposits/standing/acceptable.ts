import type { Deposit } from '../floor/state.ts';
import { isOverCeiling } from './received-value.ts';
import { isConfirmedStatus, isPaidUnconfirmed } from './status.ts';

const statusAllows = ({ terms, standing }: Deposit): boolean => {
  if (standing.noConfState === 'double_spent') return false;
  if (isConfirmedStatus(standing.status)) return true;
  return terms.noConf && standing.noConfState === 'eligible' && isPaidUnconfirmed(standing.status);
};

const kytUnfinished = ({ standing }: Deposit): boolean =>
  standing.kytStatus === null || standing.kytStatus === 'pending';

/** Instant: accepted before KYT, as long as it was not downgraded and what was received can be valued. */
const instantAllows = (deposit: Deposit): boolean => {
  const { terms, standing } = deposit;
  if (!terms.instant || standing.instantDowngraded || !kytUnfinished(deposit)) return false;
  return standing.receivedUsd !== null && !isOverCeiling(deposit, standing.receivedUsd);
};

/** The readiness snapshot of the interface. It ignores an amount mismatch, and re-pricing at a later rate. */
export const isAcceptable = (deposit: Deposit): boolean => {
  const { decision, ofacStatus, kytStatus } = deposit.standing;
  if (decision !== 'pending' || !statusAllows(deposit)) return false;
  if (ofacStatus !== 'clear' && ofacStatus !== 'timed_out') return false;
  return kytStatus === 'passed' || instantAllows(deposit);
};
