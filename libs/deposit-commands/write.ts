import { randomUUID } from 'node:crypto';
import { type Appended, type JsonObject, type NewEvent, WrongExpectedRevision } from '#event-log';
import { currentRequestId } from '#platform/logging';
import { versions, type Written } from './known-events.ts';

/** When the fact was: a signal's `at`, a command's clock. */
const occurredAt = (event: Written): string => {
  if (event.type === 'QuoteIssued') return event.data.terms.issuedAt;
  return event.type === 'LegacyTransactionStarted' ? event.data.terms.startedAt : event.data.at;
};

/** The core's events are JSON by their types, optional fields apart, which it leaves out and never sets undefined. */
const jsonOf = (event: Written): JsonObject => event.data as unknown as JsonObject;

/**
 * Every try of a command makes ids of its own, once: the log repeats an append by them after a lost answer, and two
 * commands that decide the same at the same moment never pass for one. Whoever comes again after a crash needs none of
 * them: it reads the stream first, and finds there what was written.
 */
export const newEvents = (events: readonly Written[], actor: string): readonly NewEvent[] =>
  events.map((event) => {
    const correlationId = currentRequestId();
    return {
      id: randomUUID(),
      type: event.type,
      schemaVersion: versions[event.type],
      data: jsonOf(event),
      metadata: { occurredAt: occurredAt(event), actor, ...(correlationId !== undefined && { correlationId }) },
    };
  });

/** Undefined when somebody else was first: nothing was written. */
export const appendUnlessLost = async (append: Promise<Appended>): Promise<Appended | undefined> => {
  try {
    return await append;
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return undefined;
    throw error;
  }
};
