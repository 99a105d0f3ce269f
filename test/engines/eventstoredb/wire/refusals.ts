import { Metadata, status } from '@grpc/grpc-js';
import type { Expected } from '../log/event.ts';

/** What ends a call: a gRPC status, its trailers naming the exception and its fields. */
export type Refusal = { readonly code: status; readonly details: string; readonly metadata: Metadata };

/** Header values are printable ASCII. */
const printable = (value: string) => value.replace(/[^\x20-\x7e]/g, '?');

const refusal = (code: status, details: string, trailers: Readonly<Record<string, string>> = {}): Refusal => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, printable(value));
  return { code, details: printable(details), metadata };
};

/** Without an exception the client has only the code to go by: an UnknownError. */
export const invalid = (why: string) => refusal(status.UNKNOWN, why);

export const streamDeleted = (stream: string) =>
  refusal(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

/** Deletions report versions as numbers, ANY and NO_STREAM too. */
const versionNumber = (expected: Expected) => {
  if (typeof expected === 'bigint') return String(expected);
  return { any: '-2', no_stream: '-1', stream_exists: '-4' }[expected];
};

export const wrongExpectedVersion = (stream: string, expected: Expected, actual: number) =>
  refusal(
    status.FAILED_PRECONDITION,
    `Append failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${versionNumber(expected)}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': versionNumber(expected),
      'actual-version': String(actual),
    },
  );

export const MAX_APPEND_BYTES = 1024 * 1024;

export const appendTooLarge = () =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });

export const notLeader = ({ host, port }: { readonly host: string; readonly port: number }) =>
  refusal(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const NOT_READY = 'Server Is Not Ready';
export const notReady = () => refusal(status.UNAVAILABLE, NOT_READY);
export const unavailable = () => refusal(status.UNAVAILABLE, 'The answer was lost.');
export const commitTimeout = () => refusal(status.ABORTED, 'Operation timed out: Commit phase timeout.');
export const tooSlow = () => refusal(status.ABORTED, 'Operation timed out');
export const shuttingDown = () => refusal(status.INTERNAL, 'Server is shutting down');

export type GroupName = { readonly stream: string; readonly group: string };

const groupRefusal = (code: status, exception: string, { stream, group }: GroupName, what: string) =>
  refusal(code, `Subscription group ${group} on stream ${stream} ${what}.`, {
    exception,
    'stream-name': stream,
    'group-name': group,
  });

export const groupExists = (name: GroupName) =>
  groupRefusal(status.ALREADY_EXISTS, 'persistent-subscription-exists', name, 'exists');
export const groupMissing = (name: GroupName) =>
  groupRefusal(status.NOT_FOUND, 'persistent-subscription-does-not-exist', name, 'does not exist');
export const groupDropped = (name: GroupName) =>
  groupRefusal(status.CANCELLED, 'persistent-subscription-dropped', name, 'was dropped');
export const groupFull = (name: GroupName) =>
  groupRefusal(
    status.FAILED_PRECONDITION,
    'maximum-subscribers-reached',
    name,
    'has reached its maximum of subscribers',
  );
