import type { handleUnaryCall } from '@grpc/grpc-js';
import type { Context } from '../context.ts';
import type { Expected } from '../log/event.ts';
import type { Log } from '../log/log.ts';
import { type Answer, softDelete, tombstone } from '../log/operations.ts';
import { type shared, streams } from '../wire/definitions.ts';
import { expectedRevision } from '../wire/expected.ts';
import { readStreamName } from '../wire/identifiers.ts';
import * as refuse from '../wire/refusals.ts';
import { type Outcome, performWrite } from './write.ts';

type Options = Parameters<typeof expectedRevision>[0] & { getStreamIdentifier(): shared.StreamIdentifier | undefined };
type Operation = (log: Log, stream: string, expected: Expected) => Answer;

/** Unlike an append's, a deletion's conflict travels as a status. */
const refusal = (outcome: Exclude<Outcome, { kind: 'written' | 'repeated' }>, stream: string) => {
  // biome-ignore lint/nursery/useExhaustiveSwitchCases: TypeScript sees what Exclude leaves, this rule does not
  switch (outcome.kind) {
    case 'conflict':
      return refuse.wrongExpectedVersion(stream, outcome.expected, outcome.actual);
    case 'deleted':
      return refuse.streamDeleted(stream);
    case 'not ready':
      return refuse.notReady();
    case 'commit timeout':
      return refuse.commitTimeout();
    case 'answer lost':
      return refuse.unavailable();
  }
};

/** The position of the deletion, or why there is none. */
const perform = async (ctx: Context, options: Options | undefined, operation: Operation) => {
  const stream = readStreamName(options?.getStreamIdentifier());
  const expected = options && expectedRevision(options);
  if (stream === '' || expected === undefined) return refuse.invalid('A deletion names a stream and a revision of it.');
  const outcome = await performWrite(ctx, stream, () => operation(ctx.log, stream, expected));
  return outcome.kind === 'written' || outcome.kind === 'repeated' ? outcome.position : refusal(outcome, stream);
};

export const deleteHandler =
  (ctx: Context): handleUnaryCall<streams.DeleteReq, streams.DeleteResp> =>
  ({ request }, callback) => {
    perform(ctx, request.getOptions(), softDelete).then(
      (result) => {
        if (typeof result === 'object') return callback(result);
        const position = new streams.DeleteResp.Position();
        position.setCommitPosition(String(result)).setPreparePosition(String(result));
        return callback(null, new streams.DeleteResp().setPosition(position));
      },
      (error: unknown) => callback(refuse.invalid(String(error))),
    );
  };

export const tombstoneHandler =
  (ctx: Context): handleUnaryCall<streams.TombstoneReq, streams.TombstoneResp> =>
  ({ request }, callback) => {
    perform(ctx, request.getOptions(), tombstone).then(
      (result) => {
        if (typeof result === 'object') return callback(result);
        const position = new streams.TombstoneResp.Position();
        position.setCommitPosition(String(result)).setPreparePosition(String(result));
        return callback(null, new streams.TombstoneResp().setPosition(position));
      },
      (error: unknown) => callback(refuse.invalid(String(error))),
    );
  };
