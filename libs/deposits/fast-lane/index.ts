/** One fast deposit in flight per casino and player. */

export { decideEnter, type EnterOutcome, type FastDepositUnconfirmed } from './enter.ts';
export { type FastLaneEvent, fastLaneEventVersions } from './events.ts';
export {
  beginsAnew,
  depositsIn,
  emptyLane,
  evolveLane,
  type FastLane,
  type LaneDeposit,
  type Occupant,
} from './lane.ts';
export { comesBack, decideReenter } from './reenter.ts';
