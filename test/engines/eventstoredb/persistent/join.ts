import { randomUUID } from 'node:crypto';
import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import type { Context } from '../context.ts';
import { persistent, type shared } from '../wire/definitions.ts';
import { readUuid } from '../wire/identifiers.ts';
import { groupEventResponse } from '../wire/recordedEvent.ts';
import * as refuse from '../wire/refusals.ts';
import type { Consumer } from './consumers.ts';
import type { Group, NackAction } from './group.ts';
import { nameOf } from './names.ts';

type Call = ServerDuplexStream<persistent.ReadReq, persistent.ReadResp>;

const confirmation = () => {
  const confirmed = new persistent.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
  return new persistent.ReadResp().setSubscriptionConfirmation(confirmed);
};

const actionOf = (nack: persistent.ReadReq.Nack): NackAction => {
  const { Action } = persistent.ReadReq.Nack;
  switch (nack.getAction()) {
    case Action.PARK:
      return 'park';
    case Action.SKIP:
      return 'skip';
    case Action.STOP:
      return 'stop';
    case Action.RETRY:
    case Action.UNKNOWN:
      return 'retry';
  }
};

const idsOf = (message: { getIdsList(): shared.UUID[] }) => message.getIdsList().flatMap((id) => readUuid(id) ?? []);

const createConsumer = (call: Call, options: persistent.ReadReq.Options): Consumer => ({
  capacity: Math.max(1, options.getBufferSize()),
  inFlight: new Map(),
  send: ({ event, retries }) => call.write(groupEventResponse(event, retries)),
  drop: (reason) => call.emit('error', reason),
});

/** Joins the caller, or tells it why not; what it says from then on settles what it was sent. */
const joinGroup = ({ groups, faults }: Context, call: Call, options: persistent.ReadReq.Options) => {
  const name = nameOf(options);
  const group = groups.find(name);
  if (!faults.isReady()) return call.emit('error', refuse.notReady());
  if (!group) return call.emit('error', refuse.groupMissing(name));
  if (group.isFull()) return call.emit('error', refuse.groupFull(name));
  const consumer = createConsumer(call, options);
  const leave = () => group.leave(consumer);
  call.on('cancelled', leave).on('close', leave);
  call.write(confirmation());
  group.join(consumer);
  return { group, consumer };
};

const settle = (group: Group, consumer: Consumer, request: persistent.ReadReq) => {
  const [ack, nack] = [request.getAck(), request.getNack()];
  if (ack) group.ack(consumer, idsOf(ack));
  if (nack) group.nack(consumer, idsOf(nack), actionOf(nack));
};

export const joinHandler =
  (ctx: Context): handleBidiStreamingCall<persistent.ReadReq, persistent.ReadResp> =>
  (call: Call) => {
    let joined: { readonly group: Group; readonly consumer: Consumer } | undefined;
    call.on('data', (request: persistent.ReadReq) => {
      if (joined) return settle(joined.group, joined.consumer, request);
      const options = request.getOptions();
      if (!options) return call.emit('error', refuse.invalid('Whoever joins names a group first.'));
      const result = joinGroup(ctx, call, options);
      if (typeof result === 'object') joined = result;
    });
    call.on('end', () => {
      if (joined) joined.group.leave(joined.consumer);
      call.end();
    });
  };
