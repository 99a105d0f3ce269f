import { pause, unlessAborted } from '#platform/pause';
import { AnotherLog, PastTheEnd } from './errors.ts';
import { lackForGood, missedForGood, type Standing } from './lack-of.ts';
import { lackToReadOn } from './lacks-others.ts';
import { type Patience, pauseBefore } from './persistence.ts';
import type { EventMark, SubscribeOptions, Subscription } from './port.ts';
import type { Position } from './position.ts';
import { asFarAsShown, shownAs } from './recorded.ts';
import { ConnectionLost, type EventStore, type StoredBatch } from './store.ts';
import type { Upcast } from './upcasting.ts';

const DEFAULT_BATCH = 500;

const BEHIND_LAST = 'a reader may stand at a place of another log: it is read on behind what it took last';

type Parts = {
  readonly store: EventStore;
  readonly upcast: Upcast;
  readonly isOurs: () => Promise<void>;
  readonly onLacked: (mark: EventMark) => void;
  readonly onTrouble: Patience['onTrouble'];
};

type Show = ReturnType<typeof shownAs>;

/** Hands on a batch, or the part of it before an event that cannot be read; that one ends the subscription. */
const hand = async ({ events, position }: StoredBatch, show: Show, onBatch: SubscribeOptions['onBatch']) => {
  const { events: read, refusal } = asFarAsShown(events, show);
  const last = refusal ? read.at(-1)?.position : position;
  if (last !== undefined) await onBatch({ events: read, position: last });
  if (refusal) throw refusal.cause;
};

/** Of one that has taken nothing yet only where it stands is known, which says nothing of a log that is another's. */
const lackOfPlace = async ({ store, isOurs }: Parts, standing: Standing): Promise<string | undefined> => {
  await isOurs();
  return lackForGood(store, standing);
};

/** What is written next would stand before the place that he has read to, and be passed over; or nobody reads on there. */
const checkNotPast = async ({ store }: Parts, { position }: Standing): Promise<void> => {
  const lack = await lackToReadOn(store, { position, last: undefined });
  if (lack !== undefined) throw new PastTheEnd(`a reader ${lack}: what it took last is there`);
};

type Begun = Pick<SubscribeOptions, 'last' | 'onlyBehindLast' | 'unsureUpTo'>;

/** It took nothing yet that tells of which log its place is. */
const isUnsureAt = (last: EventMark | undefined, { onlyBehindLast, last: begunBehind, unsureUpTo }: Begun): boolean => {
  if (onlyBehindLast !== true) return false;
  return last === begunBehind || (last !== undefined && unsureUpTo !== undefined && last.position <= unsureUpTo);
};

/** After a lost connection: what would be read behind a place that the log no longer has is not what comes next. */
const checkStillThere = async (parts: Parts, standing: Standing, begun: Begun, attempt: number): Promise<void> => {
  if (attempt === 0) return;
  const { last } = standing;
  const isUnsure = isUnsureAt(last, begun);
  if (isUnsure && !last) throw new PastTheEnd(BEHIND_LAST);
  const lack = await (last ? missedForGood(parts.store, last) : lackOfPlace(parts, standing));
  if (lack !== undefined) {
    if (last) parts.onLacked(last);
    throw new AnotherLog(lack);
  }
  if (isUnsure) throw new PastTheEnd(BEHIND_LAST);
  if (last) await checkNotPast(parts, standing);
};

const lastOf = ({ events, position }: StoredBatch, before: EventMark | undefined) =>
  [position, events.at(-1) ?? before] as const;

/** Follows the store; when the connection dies it starts again behind the last batch that was handled, for ever. */
const run = async (parts: Parts, options: SubscribeOptions, signal: AbortSignal): Promise<void> => {
  const { store, onTrouble } = parts;
  const { after, filter, prove, batchSize = DEFAULT_BATCH, everyMs, onBatch } = options;
  const show = shownAs(parts.upcast, prove);
  let [handled, last]: [Position | undefined, EventMark | undefined] = [after, options.last];
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await unlessAborted(checkStillThere(parts, { position: handled, last }, options, attempt), signal);
      for await (const batch of store.follow({ after: handled, filter, batchSize, everyMs, signal })) {
        await hand(batch, show, onBatch);
        [handled, last] = lastOf(batch, last);
        attempt = 0;
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      onTrouble({ what: 'subscription', error, attempt });
      await pause(pauseBefore(attempt), signal);
    }
  }
};

const subscribe = (parts: Parts, options: SubscribeOptions): Subscription => {
  const stopping = new AbortController();
  const done = run(parts, options, stopping.signal);
  // Whoever only stops it need not listen to `done`; a failure is not lost, since `done` keeps it.
  done.catch(() => undefined);
  return {
    done,
    stop: async () => {
      stopping.abort();
      await done.catch(() => undefined);
    },
  };
};

/** Knows the subscriptions under way, so that closing the log ends them first. */
export const createSubscriptions = (parts: Parts) => {
  const running = new Set<Subscription>();
  return {
    subscribe: (options: SubscribeOptions): Subscription => {
      const subscription = subscribe(parts, options);
      running.add(subscription);
      const forget = (): boolean => running.delete(subscription);
      subscription.done.then(forget, forget);
      return subscription;
    },
    stopAll: async (): Promise<void> => {
      await Promise.all([...running].map((subscription) => subscription.stop()));
    },
  };
};
