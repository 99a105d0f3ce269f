import { setTimeout as later } from 'node:timers/promises';
import { initialState, type QuoteIssued, type Refused } from '#deposits';
import {
  decideEnter,
  emptyLane,
  evolveLane,
  type FastDepositUnconfirmed,
  type FastLane,
  type FastLaneEvent,
  type Occupant,
} from '#deposits/fast-lane';
import type { RecordedEvent } from '#event-log';
import { growingPause } from '#platform/pause';
import type { Desk } from '../desk.ts';
import { loadDeposit } from '../load.ts';
import { type Busy, busy } from '../outcome.ts';
import { depositStream, fastLaneStream } from '../streams.ts';
import { appendUnlessLost, newEvents } from '../write.ts';

/** "A lost race is retried a few times." */
const MOST_LOOKS = 8;

/** Whoever has just entered is given this long, look by look, to write the deposit before another does it for them. */
const LOOKS_BEFORE_COMPLETING = 4;

const pauseBeforeLook = growingPause({ firstMs: 15, mostMs: 480 });

type LoadedLane = { readonly lane: FastLane; readonly revision: number | 'no_stream' };

const laneEventOf = ({ type, data }: RecordedEvent): FastLaneEvent => ({ type, data }) as unknown as FastLaneEvent;

/** A release is only ever written together with the entry that needs it: the last event tells who stands in the lane. */
const loadLane = async ({ log }: Desk, stream: string): Promise<LoadedLane> => {
  for await (const event of log.read(stream, { direction: 'backwards', limit: 1 }))
    return { lane: evolveLane(emptyLane, laneEventOf(event)), revision: event.revision };
  return { lane: emptyLane, revision: 'no_stream' };
};

type Entered = { readonly outcome: 'entered'; readonly opening: QuoteIssued };

type Look =
  | Entered
  | Refused<FastDepositUnconfirmed>
  | { readonly outcome: 'absent'; readonly occupant: Occupant }
  /** Somebody else was first: look again. */
  | { readonly outcome: 'lost' };

const lookOnce = async (desk: Desk, opening: QuoteIssued, actor: string): Promise<Look> => {
  const { entityId, gamblerRef } = opening.data.terms;
  const stream = fastLaneStream(entityId, gamblerRef);
  const { lane, revision } = await loadLane(desk, stream);
  const occupant = lane.occupant ? (await loadDeposit(desk.log, lane.occupant.depositId)).state : initialState;
  const outcome = decideEnter(lane, { now: desk.now(), opening, occupant });
  if (outcome.outcome === 'refused') return outcome;
  if (outcome.outcome === 'complete_first') return { outcome: 'absent', occupant: outcome.occupant };
  // It stands in the lane already, cut off before its deposit was written: what was agreed then holds.
  if (outcome.events.length === 0) return { outcome: 'entered', opening: lane.occupant?.opening ?? opening };
  const won = await appendUnlessLost(desk.log.append(stream, revision, newEvents(outcome.events, actor)));
  return won ? { outcome: 'entered', opening } : { outcome: 'lost' };
};

/** An entry whose deposit never came to be: its opening lies in the lane, and is written where it belongs. */
const complete = ({ log }: Desk, { depositId, opening }: Occupant, actor: string): Promise<unknown> =>
  appendUnlessLost(log.append(depositStream(depositId), 'no_stream', newEvents([opening], actor)));

/** One fast deposit in flight per casino and player: the opening that may be written, or what blocks it. */
export const enterFastLane = async (
  desk: Desk,
  opening: QuoteIssued,
  actor: string,
): Promise<Entered | Refused<FastDepositUnconfirmed> | Busy> => {
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const seen = await lookOnce(desk, opening, actor);
    if (seen.outcome === 'entered' || seen.outcome === 'refused') return seen;
    if (seen.outcome === 'absent' && look >= LOOKS_BEFORE_COMPLETING) await complete(desk, seen.occupant, actor);
    else await later(pauseBeforeLook(look));
  }
  return busy;
};
