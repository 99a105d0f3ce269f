import {
  AnotherLog,
  BrokenHistory,
  type EventMark,
  type EventPlace,
  type RecordedEvent,
  UnknownSchemaVersion,
} from '#event-log';
import { reasonOf } from '#platform/reason';
import { keyOf, type ProjectionId } from '../projection.ts';

/** Why a projection stopped. Where history itself is broken, only `reason` says at which event. */
export type Failure = {
  readonly event?: EventPlace;
  readonly reason: string;
  /** When, as ISO 8601. */
  readonly at: string;
  /** The log did not hold its place: it may hold it again. */
  readonly anotherLog?: true;
  /**
   * What its own log is known by beside that: the newest event that any had taken by then; null: none had. Not there: a
   * release of before has written it.
   */
  readonly newest?: EventMark | null;
};

/** Rows are of events that the log does not hold. */
export class RowsAhead extends BrokenHistory {
  override readonly name = 'RowsAhead';
}

/** An event that a projection cannot take, however often it is tried. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly event: RecordedEvent;

  constructor(id: ProjectionId, event: RecordedEvent, cause: unknown) {
    super(
      `projection ${keyOf(id)} cannot take event ${event.type} ${event.id} (stream ${event.stream}, revision ` +
        `${event.revision}, position ${event.position}): ${reasonOf(cause)}`,
      { cause },
    );
    this.event = event;
  }
}

/** What the log says about its own history stays so, for as long as it is that log. */
export const isFinal = (error: unknown): boolean =>
  error instanceof PoisonEvent || error instanceof BrokenHistory || error instanceof UnknownSchemaVersion;

export const failureOf = (error: unknown, at: Date): Failure => {
  if (error instanceof UnknownSchemaVersion) return { event: error.event, reason: error.message, at: at.toISOString() };
  const anotherLog = error instanceof AnotherLog || error instanceof RowsAhead;
  if (!(error instanceof PoisonEvent))
    return { reason: reasonOf(error), at: at.toISOString(), ...(anotherLog && { anotherLog }) };
  const { stream, revision, id, type, position } = error.event;
  return { event: { stream, revision, id, type, position }, reason: reasonOf(error.cause), at: at.toISOString() };
};
