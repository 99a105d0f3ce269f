/** One fast deposit in flight per casino and player. */

export {
  decideEnter,
  emptyLane,
  evolveLane,
  type FastDepositUnconfirmed,
  type FastLane,
  type Occupant,
} from './enter.ts';
export { type FastLaneEvent, fastLaneEventVersions } from './events.ts';
