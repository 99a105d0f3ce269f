/** One fast deposit in flight per casino and player. */
export { type Hold, holdOf } from './blocking.ts';
export { decideEnter, type EnterFastLane, type EnterOutcome, type FastDepositUnconfirmed } from './enter.ts';
export { type FastLaneEntered, type FastLaneEvent, type FastLaneReleased, fastLaneEventVersions } from './events.ts';
export { emptyLane, evolveLane, type FastLane, type Occupant } from './lane.ts';
