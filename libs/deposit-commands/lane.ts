import type { Deposit, DepositEvent, EngineSignal } from '#deposits';
import {
  beginsAnew,
  comesBack,
  decideReenter,
  depositsIn,
  emptyLane,
  evolveLane,
  type FastLane,
  type FastLaneEvent,
  type LaneDeposit,
} from '#deposits/fast-lane';
import type { EventLog, RecordedEvent } from '#event-log';
import type { Desk } from './desk.ts';
import { loadDeposit } from './load.ts';
import { fastLaneStream } from './streams.ts';
import { newEvents } from './write.ts';

type Reads = Pick<EventLog, 'read'>;

const laneEventOf = ({ type, data }: RecordedEvent): FastLaneEvent => ({ type, data }) as unknown as FastLaneEvent;

export type LoadedLane = {
  readonly lane: FastLane;
  readonly revision: number | 'no_stream';
  readonly deposits: readonly LaneDeposit[];
};

/** Nearly always the last event is an entry; where it is none, one is seldom far. */
const FIRST_LOOK = 1;

type Newest = { readonly events: readonly FastLaneEvent[]; readonly revision: number | 'no_stream' };

/** From the last entry on; undefined when there may be one before what was looked at. */
const newest = async (log: Reads, stream: string, limit: number | undefined): Promise<Newest | undefined> => {
  const events: FastLaneEvent[] = [];
  let revision: Newest['revision'] = 'no_stream';
  for await (const recorded of log.read(stream, { direction: 'backwards', ...(limit !== undefined && { limit }) })) {
    const event = laneEventOf(recorded);
    if (events.length === 0) revision = recorded.revision;
    events.unshift(event);
    if (beginsAnew(event)) return { events, revision };
  }
  return events.length === limit ? undefined : { events, revision };
};

const depositIn = async (log: Reads, depositId: number): Promise<LaneDeposit> => {
  const { state, revision } = await loadDeposit(log, depositId);
  return { depositId, state, revision };
};

/** The lane and all that stand in it, each as its own stream tells it. */
export const loadLane = async (log: Reads, stream: string): Promise<LoadedLane> => {
  const found = (await newest(log, stream, FIRST_LOOK)) ?? (await newest(log, stream, undefined));
  if (!found) throw new Error(`stream ${stream} was read to its beginning and has none`);
  const lane = found.events.reduce(evolveLane, emptyLane);
  const deposits = await Promise.all(depositsIn(lane).map((depositId) => depositIn(log, depositId)));
  return { lane, revision: found.revision, deposits };
};

type Applying = { readonly deposit: Deposit; readonly revision: number; readonly signal: EngineSignal };

/**
 * Whether a payment finds another fast deposit of the player in flight. Said to the lane before it is appended; where
 * somebody else was first in the lane, the whole of it is tried again.
 */
export const comesBehindAnother = async (
  { log, now }: Pick<Desk, 'log' | 'now'>,
  { deposit, revision: depositRevision, signal: { at } }: Applying,
  [event]: readonly DepositEvent[],
  actor: string,
): Promise<boolean> => {
  if (!event || !comesBack(deposit, event, now())) return false;
  const { depositId, entityId, gamblerRef } = deposit.terms;
  const stream = fastLaneStream(entityId, gamblerRef);
  const { lane, revision, deposits } = await loadLane(log, stream);
  const { behind, events } = decideReenter(lane, { at, now: now(), depositId, depositRevision, deposits });
  if (events.length > 0) await log.append(stream, revision, newEvents(events, actor));
  return behind !== null;
};
