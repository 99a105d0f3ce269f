/** One fast deposit in flight per casino and player. */

export { decideEnter, type FastDepositUnconfirmed } from './enter.ts';
export { type FastLaneEvent, fastLaneEventVersions } from './events.ts';
export { emptyLane, evolveLane, type FastLane, type Occupant } from './lane.ts';
