import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import { type Filter, readFilter } from '../filters.ts';
import { streams } from '../wire/definitions.ts';
import { readStreamName } from '../wire/identifiers.ts';
import * as refuse from '../wire/refusals.ts';
import { allFeed, type Feed, streamFeed } from './feeds.ts';
import type { ReadCall } from './outgoing.ts';
import { positionFrom, type ReadOptions, refuseStream, revisionFrom } from './starts.ts';

const confirmation = () => {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
  return new streams.ReadResp().setConfirmation(confirmed);
};

const toStream = ({ log }: Context, start: streams.ReadReq.Options.StreamOptions): Feed | refuse.Refusal => {
  const name = readStreamName(start.getStreamIdentifier());
  return refuseStream(log, name) ?? streamFeed(log, name, revisionFrom(start));
};

const filterOf = (options: ReadOptions): Filter | refuse.Refusal | undefined => {
  const filter = options.getFilter();
  try {
    return filter && readFilter(filter);
  } catch (error) {
    return refuse.invalid(`A filter that cannot be read: ${error}`);
  }
};

const toAll = ({ log }: Context, start: streams.ReadReq.Options.AllOptions, options: ReadOptions) => {
  const filter = filterOf(options);
  const from = positionFrom(log, start);
  if (filter && 'code' in filter) return filter;
  return typeof from === 'object' ? from : allFeed(log, from, filter);
};

/** Hands out the feed as fast as the subscriber takes it, and drops one that falls too far behind while live. */
const deliver = (ctx: Context, call: ReadCall, feed: Feed) => {
  let blocked = false;
  let ended = false;
  let missed = 0;
  let judging = false;

  const stop = () => {
    ended = true;
    stopListening();
    ctx.openCalls.delete(end);
  };
  const end = (reason: refuse.Refusal) => {
    if (ended) return;
    stop();
    call.emit('error', reason);
  };
  const pump = () => {
    while (!ended && !blocked) {
      const message = feed.next();
      if (!message) return;
      if ('code' in message) end(message);
      else blocked = !call.write(message);
    }
  };
  /** A real server sends beside its writes: what was sent has to get a turn here before it counts as not taken. */
  const judge = () => {
    judging = false;
    if (ended || missed <= ctx.faults.current().liveBuffer) return;
    ctx.faults.drop();
    end(refuse.tooSlow());
  };
  const stopListening = ctx.log.onCommit((recorded) => {
    const limit = ctx.faults.current().liveBuffer;
    if (blocked && limit > 0 && feed.isLive()) missed += recorded.filter(feed.wants).length;
    if (missed > limit && !judging) {
      judging = true;
      setImmediate(judge);
    }
    pump();
  });

  ctx.openCalls.add(end);
  call.on('cancelled', stop).on('close', stop);
  call.on('drain', () => {
    blocked = false;
    missed = 0;
    pump();
  });
  call.write(confirmation());
  pump();
};

export const subscribe = (ctx: Context, call: ReadCall, options: ReadOptions) => {
  const stream = options.getStream();
  const all = options.getAll();
  const feed = stream ? toStream(ctx, stream) : all && toAll(ctx, all, options);
  if (!feed) return call.emit('error', refuse.invalid('A subscription names a stream or $all.'));
  return 'code' in feed ? call.emit('error', feed) : deliver(ctx, call, feed);
};
