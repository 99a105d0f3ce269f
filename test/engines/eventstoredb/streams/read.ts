import type { handleServerStreamingCall } from '@grpc/grpc-js';
import type { Context } from '../context.ts';
import type { Recorded } from '../log/event.ts';
import { streams } from '../wire/definitions.ts';
import { readStreamName, writeStreamName } from '../wire/identifiers.ts';
import { eventResponse } from '../wire/recordedEvent.ts';
import * as refuse from '../wire/refusals.ts';
import { type ReadCall, sendAll } from './outgoing.ts';
import { readAll } from './readAll.ts';
import { readStream } from './readStream.ts';
import { positionFrom, type ReadOptions, refuseStream, revisionFrom } from './starts.ts';
import { subscribe } from './subscribe.ts';

/** Undefined for a read that never ends. */
type Messages = Iterable<streams.ReadResp> | refuse.Refusal | undefined;

function* responses(events: Iterable<Recorded>) {
  for (const event of events) yield eventResponse(event);
}

const notFound = (name: string) => {
  const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(writeStreamName(name));
  return [new streams.ReadResp().setStreamNotFound(missing)];
};

const directionOf = (options: ReadOptions) =>
  options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS ? 'backwards' : 'forwards';

const fromStream = ({ log }: Context, options: ReadOptions, start: streams.ReadReq.Options.StreamOptions): Messages => {
  const name = readStreamName(start.getStreamIdentifier());
  const count = Number(options.getCount());
  const direction = directionOf(options);
  const from = revisionFrom(start);
  if (count === 0) return refuse.invalid('A read of a stream asks for at least one event.');
  if (from === 'end' && direction === 'forwards') return refuse.invalid('Nothing can be read forwards from the end.');
  const refused = refuseStream(log, name);
  if (refused) return refused;
  const events = readStream(log, name, from, direction, count);
  return events ? responses(events) : notFound(name);
};

/** This client sends no filter with a read of $all, so none is looked at. */
const fromAll = ({ log }: Context, options: ReadOptions, start: streams.ReadReq.Options.AllOptions): Messages => {
  const count = Number(options.getCount());
  const from = positionFrom(log, start);
  if (typeof from === 'object') return from;
  return count === 0 ? undefined : responses(readAll(log, from, directionOf(options), count));
};

const stayOpen = (ctx: Context, call: ReadCall) => {
  const end = (reason: refuse.Refusal) => call.emit('error', reason);
  ctx.openCalls.add(end);
  call.on('cancelled', () => ctx.openCalls.delete(end));
};

const handle = async (ctx: Context, call: ReadCall) => {
  await ctx.faults.delayed();
  if (!ctx.faults.isReady()) return call.emit('error', refuse.notReady());
  const options = call.request.getOptions();
  if (options?.hasSubscription()) return subscribe(ctx, call, options);
  const stream = options?.getStream();
  const all = options?.getAll();
  if (!options || !(stream ?? all)) return call.emit('error', refuse.invalid('A read names a stream or $all.'));
  const messages = stream ? fromStream(ctx, options, stream) : all && fromAll(ctx, options, all);
  if (!messages) return stayOpen(ctx, call);
  return 'code' in messages ? call.emit('error', messages) : sendAll(call, messages);
};

export const readHandler =
  (ctx: Context): handleServerStreamingCall<streams.ReadReq, streams.ReadResp> =>
  (call) => {
    handle(ctx, call).catch((error: unknown) => call.emit('error', refuse.invalid(String(error))));
  };
