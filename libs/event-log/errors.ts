import type { EventPlace, ExpectedRevision, RecordedEvent } from './port.ts';

const say = (expected: ExpectedRevision): string =>
  typeof expected === 'number' ? `revision ${expected}` : expected.replaceAll('_', ' ');

/** Somebody else was first, or the caller's picture of the stream is wrong. Nothing was written. */
export class WrongExpectedRevision extends Error {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: number | 'no_stream';

  constructor(stream: string, expected: ExpectedRevision, actual: number | 'no_stream') {
    super(`stream ${stream}: expected ${say(expected)}, found ${say(actual)}; nothing was written`);
    this.name = 'WrongExpectedRevision';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The events could never be written, here or in any other store: a mistake of the caller. */
export class InvalidAppend extends Error {
  override readonly name: string = 'InvalidAppend';
}

export class AppendTooLarge extends InvalidAppend {
  override readonly name = 'AppendTooLarge';
  readonly bytes: number;
  readonly limit: number;

  constructor(stream: string, bytes: number, limit: number) {
    super(`stream ${stream}: ${bytes} bytes of data in one append, at most ${limit} are taken; nothing was written`);
    this.bytes = bytes;
    this.limit = limit;
  }
}

/** The connection failed and the log did not come back in time. Repeat the very same append, or the read. */
export class LogUnavailable extends Error {
  override readonly name: string = 'LogUnavailable';
}

/** What a call says that only asks, or was never sent, when nobody answered it in time. */
export const unavailable = (cause: Error): LogUnavailable =>
  new LogUnavailable(`no answer from the event log: ${cause.message}`, { cause });

/** It answers who reads, and takes no writes: nothing was written. Repeat the very same append. */
export class LogReadOnly extends LogUnavailable {
  override readonly name = 'LogReadOnly';
}

/** It may have been written or not: only the very same append, repeated, tells. */
export class OutcomeUnknown extends LogUnavailable {
  override readonly name = 'OutcomeUnknown';

  constructor(stream: string, afterMs: number, cause: unknown) {
    super(`stream ${stream}: no answer about an append for ${afterMs} ms; append the same events again to settle it`, {
      cause,
    });
  }
}

/** Nothing was sent that may have been written: a read, or a call that the outage of the log kept from beginning. */
export const isUnbegun = (error: unknown): boolean =>
  error instanceof LogUnavailable && !(error instanceof OutcomeUnknown);

/** What the store answered contradicts what a log may do: history was changed or lost behind its back. */
export class BrokenHistory extends Error {
  override readonly name: string = 'BrokenHistory';
  /** Of its stream, from which on it is not what it was, where that is known. */
  readonly revision: number | undefined;

  constructor(message: string, { revision, ...options }: ErrorOptions & { readonly revision?: number } = {}) {
    super(message, options);
    this.revision = revision;
  }
}

/** It does not hold what it has given: it is another log, or one that was put back. */
export class AnotherLog extends BrokenHistory {
  override readonly name = 'AnotherLog';
  readonly lack: string;

  constructor(lack: string) {
    super(`a reader ${lack}: it is another log, or one that was put back or emptied`);
    this.lack = lack;
  }
}

/**
 * The log holds what was taken of it, and ends before the place that was read to, or may be another one than where that is:
 * whoever took it begins anew behind it.
 */
export class PastTheEnd extends Error {
  override readonly name = 'PastTheEnd';
}

/** An event in a shape that only a newer release can read. */
export class UnknownSchemaVersion extends Error {
  override readonly name = 'UnknownSchemaVersion';
  readonly event: EventPlace;

  constructor(event: RecordedEvent, known: number) {
    super(
      `stream ${event.stream}, revision ${event.revision}: ${event.type} has schema version ${event.schemaVersion}, ` +
        `known up to ${known}: this release is older than the event; run the newer one`,
    );
    const { stream, revision, id, type, position } = event;
    this.event = { stream, revision, id, type, position };
  }
}
