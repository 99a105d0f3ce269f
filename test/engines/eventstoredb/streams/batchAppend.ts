import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import type { Context } from '../context.ts';
import type { Expected, Proposed } from '../log/event.ts';
import { append } from '../log/operations.ts';
import { empty, shared, streams } from '../wire/definitions.ts';
import { expectedPosition } from '../wire/expected.ts';
import { readStreamName, readUuid } from '../wire/identifiers.ts';
import { readProposed } from '../wire/proposedEvent.ts';
import * as refuse from '../wire/refusals.ts';
import { batchError } from './batchError.ts';
import { type Outcome, performWrite } from './write.ts';

type Call = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
type Batch = {
  readonly options: streams.BatchAppendReq.Options;
  readonly messages: streams.BatchAppendReq.ProposedMessage[];
};

const success = (revision: number, position: number | undefined) => {
  const message = new streams.BatchAppendResp.Success();
  if (revision >= 0) message.setCurrentRevision(String(revision));
  else message.setNoStream(new empty.Empty());
  if (position === undefined) return message.setNoPosition(new empty.Empty());
  const at = new shared.AllStreamPosition();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  return message.setPosition(at);
};

/** Undefined where no answer comes: the caller learns of it by the end of the call. */
const answer = (outcome: Outcome, stream: string) => {
  const response = new streams.BatchAppendResp();
  if (outcome.kind === 'answer lost') return undefined;
  return outcome.kind === 'written' || outcome.kind === 'repeated'
    ? response.setSuccess(success(outcome.revision, outcome.position))
    : response.setError(batchError(outcome, stream));
};

type Read = {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly (Proposed | undefined)[];
};

/** Too large an append, and a revision that is none, end the call that all appends of the process share. */
const readBatch = ({ options, messages }: Batch): Read | refuse.Refusal => {
  const stream = readStreamName(options.getStreamIdentifier());
  const expected = expectedPosition(options);
  if (expected === undefined) return refuse.invalid('A revision is not negative.');
  const events = messages.map(readProposed);
  const bytes = events.reduce((sum, event) => sum + (event?.data.length ?? 0), 0);
  return bytes > refuse.MAX_APPEND_BYTES ? refuse.appendTooLarge() : { stream, expected, events };
};

const isValid = (events: Read['events']): events is readonly Proposed[] => events.every((event) => event !== undefined);

const perform = async (ctx: Context, { stream, expected, events }: Read) => {
  if (stream === '' || !isValid(events))
    return new streams.BatchAppendResp().setError(batchError({ kind: 'invalid' }, stream));
  return answer(await performWrite(ctx, stream, () => append(ctx.log, stream, expected, events)), stream);
};

const respond = async (ctx: Context, call: Call, correlation: shared.UUID | undefined, batch: Batch) => {
  const read = readBatch(batch);
  if ('code' in read) return call.emit('error', read);
  const response = await perform(ctx, read);
  if (call.cancelled || call.destroyed) return;
  if (!response) return call.emit('error', refuse.unavailable());
  response.setCorrelationId(correlation);
  response.setStreamIdentifier(batch.options.getStreamIdentifier());
  return call.write(response);
};

/** One call for all appends of a process. A large one arrives in pieces; what belongs together has one correlation id. */
export const batchAppendHandler =
  (ctx: Context): handleBidiStreamingCall<streams.BatchAppendReq, streams.BatchAppendResp> =>
  (call: Call) => {
    const batches = new Map<string, Batch>();
    call.on('data', (request: streams.BatchAppendReq) => {
      const id = readUuid(request.getCorrelationId()) ?? '';
      const options = request.getOptions();
      const batch = batches.get(id) ?? (options && { options, messages: [] });
      if (!batch) return call.emit('error', refuse.invalid('The first message of an append carries its options.'));
      batch.messages.push(...request.getProposedMessagesList());
      batches.set(id, batch);
      if (!request.getIsFinal()) return;
      batches.delete(id);
      respond(ctx, call, request.getCorrelationId(), batch).catch((error: unknown) =>
        call.emit('error', refuse.invalid(String(error))),
      );
    });
    call.on('end', () => call.end());
  };
