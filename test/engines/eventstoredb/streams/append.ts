import type { handleClientStreamingCall, ServerReadableStream } from '@grpc/grpc-js';
import type { Context } from '../context.ts';
import type { Expected, Proposed } from '../log/event.ts';
import { append } from '../log/operations.ts';
import { shared, streams } from '../wire/definitions.ts';
import { expectedRevision } from '../wire/expected.ts';
import { readStreamName } from '../wire/identifiers.ts';
import { readProposed } from '../wire/proposedEvent.ts';
import * as refuse from '../wire/refusals.ts';
import { type Outcome, performWrite } from './write.ts';

type Call = ServerReadableStream<streams.AppendReq, streams.AppendResp>;
type Request = { readonly stream: string; readonly expected: Expected; readonly events: readonly Proposed[] };

const success = (revision: number, position: number | undefined) => {
  const message = new streams.AppendResp.Success();
  if (revision >= 0) message.setCurrentRevision(String(revision));
  else message.setNoStream(new shared.Empty());
  if (position === undefined) return message.setNoPosition(new shared.Empty());
  const at = new streams.AppendResp.Position();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  return message.setPosition(at);
};

/** Without the fields of 20.6: the generated code cannot serialise their -1. */
const conflict = (expected: Expected, actual: number) => {
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (actual >= 0) message.setCurrentRevision(String(actual));
  else message.setCurrentNoStream(new shared.Empty());
  if (expected === 'any') return message.setExpectedAny(new shared.Empty());
  if (expected === 'no_stream') return message.setExpectedNoStream(new shared.Empty());
  if (expected === 'stream_exists') return message.setExpectedStreamExists(new shared.Empty());
  return message.setExpectedRevision(String(expected));
};

/** A conflict is an answer, whatever else is refused ends the call with a status. */
const answer = (outcome: Outcome, stream: string): streams.AppendResp | refuse.Refusal => {
  switch (outcome.kind) {
    case 'written':
    case 'repeated':
      return new streams.AppendResp().setSuccess(success(outcome.revision, outcome.position));
    case 'conflict':
      return new streams.AppendResp().setWrongExpectedVersion(conflict(outcome.expected, outcome.actual));
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

const readRequest = (requests: readonly streams.AppendReq[]): Request | refuse.Refusal => {
  const options = requests[0]?.getOptions();
  const stream = readStreamName(options?.getStreamIdentifier());
  const expected = options && expectedRevision(options);
  if (stream === '' || expected === undefined) return refuse.invalid('An append names a stream and a revision of it.');
  const events: Proposed[] = [];
  let bytes = 0;
  for (const request of requests.slice(1)) {
    const message = request.getProposedMessage();
    const event = message && readProposed(message);
    if (!event) return refuse.invalid('An event has an id and a type.');
    bytes += event.data.length;
    events.push(event);
  }
  return bytes > refuse.MAX_APPEND_BYTES ? refuse.appendTooLarge() : { stream, expected, events };
};

const handle = async (ctx: Context, requests: readonly streams.AppendReq[]) => {
  const request = readRequest(requests);
  if ('code' in request) return request;
  const { stream, expected, events } = request;
  return answer(await performWrite(ctx, stream, () => append(ctx.log, stream, expected, events)), stream);
};

/**
 * grpc-js ends the request also when its caller died or gave up in the middle of it, and says that it was cancelled only
 * afterwards, when the stream has closed. A real server writes nothing of an append that was not said to its end.
 */
const whenCallerIsStillThere = (call: Call, go: () => void): void => {
  setImmediate(() => setImmediate(() => call.cancelled || go()));
};

/** The plain path: one call per append. Nothing is written before the caller has said everything. */
export const appendHandler =
  (ctx: Context): handleClientStreamingCall<streams.AppendReq, streams.AppendResp> =>
  (call: Call, callback) => {
    const requests: streams.AppendReq[] = [];
    call.on('data', (request: streams.AppendReq) => requests.push(request));
    call.on('end', () =>
      whenCallerIsStillThere(call, () => {
        handle(ctx, requests).then(
          (response) => ('code' in response ? callback(response) : callback(null, response)),
          (error: unknown) => callback(refuse.invalid(String(error))),
        );
      }),
    );
  };
