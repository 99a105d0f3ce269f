import { setTimeout as later } from 'node:timers/promises';
import type { QuoteIssued, Refused } from '#deposits';
import { decideEnter, type EnterOutcome, type FastDepositUnconfirmed, type Occupant } from '#deposits/fast-lane';
import { growingPause } from '#platform/pause';
import type { Desk } from '../desk.ts';
import { loadLane } from '../lane.ts';
import { type Busy, busy } from '../outcome.ts';
import { applySignals } from '../signals.ts';
import { depositStream, fastLaneStream } from '../streams.ts';
import { appendUnlessLost, newEvents } from '../write.ts';

/** "A lost race is retried a few times." */
const MOST_LOOKS = 8;

/** Whoever has just entered is given this long, look by look, to write the deposit before another does it for them. */
const LOOKS_BEFORE_COMPLETING = 4;

const pauseBeforeLook = growingPause({ firstMs: 15, mostMs: 480 });

type Entered = { readonly outcome: 'entered'; readonly opening: QuoteIssued };

type Overdue = Extract<EnterOutcome, { readonly outcome: 'expire_first' }>;

type Look =
  | Entered
  | Refused<FastDepositUnconfirmed>
  | { readonly outcome: 'absent'; readonly occupant: Occupant }
  | Overdue
  /** Somebody else was first, or is at it: look again. */
  | { readonly outcome: 'lost' };

const lookOnce = async (desk: Desk, opening: QuoteIssued, actor: string): Promise<Look> => {
  const { affiliateId, entityId, gamblerRef } = opening.data.terms;
  const stream = fastLaneStream(entityId, gamblerRef);
  const { lane, revision, deposits } = await loadLane(desk.logOf(affiliateId), stream);
  const outcome = decideEnter(lane, { now: desk.now(), opening, deposits });
  if (outcome.outcome === 'refused' || outcome.outcome === 'expire_first') return outcome;
  if (outcome.outcome === 'wait') return { outcome: 'lost' };
  if (outcome.outcome === 'complete_first') return { outcome: 'absent', occupant: outcome.occupant };
  // It stands in the lane already, cut off before its deposit was written: what was agreed then holds.
  if (outcome.events.length === 0) return { outcome: 'entered', opening: lane.occupant?.opening ?? opening };
  const won = await appendUnlessLost(desk.log.append(stream, revision, newEvents(outcome.events, actor)));
  return won ? { outcome: 'entered', opening } : { outcome: 'lost' };
};

/** An entry whose deposit never came to be: its opening lies in the lane, and is written where it belongs. */
const complete = ({ log }: Desk, { depositId, opening }: Occupant, actor: string): Promise<unknown> =>
  appendUnlessLost(log.append(depositStream(depositId), 'no_stream', newEvents([opening], actor)));

/** What its timer would say in a moment. In the deposit's own stream: a payment that is being written meets it there. */
const expire = (desk: Desk, { depositId, expiresAt: at }: Overdue, actor: string): Promise<unknown> => {
  const signal = { type: 'quote.expired', signalId: `lane-expiry-${depositId}`, at, now: desk.now() } as const;
  return applySignals(desk, depositId, [signal], actor);
};

/** One fast deposit in flight per casino and player: the opening that may be written, or what blocks it. */
export const enterFastLane = async (
  desk: Desk,
  opening: QuoteIssued,
  actor: string,
): Promise<Entered | Refused<FastDepositUnconfirmed> | Busy> => {
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const seen = await lookOnce(desk, opening, actor);
    if (seen.outcome === 'entered' || seen.outcome === 'refused') return seen;
    if (seen.outcome === 'expire_first') await expire(desk, seen, actor);
    else if (seen.outcome === 'absent' && look >= LOOKS_BEFORE_COMPLETING) await complete(desk, seen.occupant, actor);
    else await later(pauseBeforeLook(look));
  }
  return busy;
};
