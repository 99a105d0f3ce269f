import { type EventStoreDBClient, START } from '@eventstore/db-client';
import { endsWithin } from '#platform/pause';
import { partsOf } from '../position.ts';
import { ConnectionLost, type FollowOptions, type StoredBatch } from '../store.ts';
import { positionFrom, recordOf } from './events.ts';
import { translated } from './failures.ts';
import { serverFilter } from './filters.ts';
import { createInbox } from './inbox.ts';
import { pageOf } from './read-all.ts';
import type { Following } from './tail.ts';

/** There is nothing to wait for but the call itself, which may not have come about. */
const UNSUBSCRIBE_WITHIN_MS = 250;

type Subscription = ReturnType<EventStoreDBClient['subscribeToAll']>;

/**
 * A checkpoint overtakes the events that wait in the stream's own buffer. It counts only when they have been given
 * out, else resuming from it would lose them.
 */
const untilDrained = (subscription: Subscription): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (subscription.readableLength > 0) return;
      subscription.off('data', look);
      resolve();
    };
    subscription.on('data', look);
    look();
  });

/**
 * One subscription's life, which ends when more comes than it can be trusted with: before the server drops it. It never
 * comes back by itself: the caller goes on behind its last batch.
 */
export async function* live(
  { connection, ownership, pace, tail }: Following,
  { after, filter, batchSize, signal }: FollowOptions,
): AsyncGenerator<StoredBatch> {
  const inbox = createInbox();
  const { client, gone, end } = connection.lasting();
  const start = after === undefined ? undefined : partsOf(after);
  const subscription = client.subscribeToAll({
    requiresLeader: true,
    fromPosition: start === undefined ? START : { commit: start.major, prepare: start.minor },
    filter: serverFilter(filter, async (_, checkpoint) => {
      await untilDrained(subscription);
      inbox.put({ position: positionFrom(checkpoint) });
    }),
  });
  let place = after;
  subscription.on('data', (resolved) => {
    try {
      const record = recordOf(resolved);
      const page = pageOf([record], ownership);
      const [[event], position] = [page.events, positionFrom(record.position)];
      if (filter === undefined) tail.came(place, page);
      place = position;
      inbox.put({ position, ...(event && { event }) });
      pace.came([record]);
    } catch (error) {
      inbox.fail(translated(error));
    }
  });
  subscription.on('error', (error: unknown) => inbox.fail(translated(error)));
  subscription.on('end', () => inbox.fail(new ConnectionLost('EventStoreDB: the subscription ended')));
  const onGone = (): void => inbox.fail(new ConnectionLost('EventStoreDB: the client was thrown away'));
  gone.addEventListener('abort', onGone);
  let left: Promise<unknown> | undefined;
  const leave = (): Promise<unknown> => {
    inbox.close();
    left ??= endsWithin(
      subscription.unsubscribe().catch(() => undefined),
      UNSUBSCRIBE_WITHIN_MS,
    );
    return left;
  };
  const stayed = pace.whenFar(leave);
  try {
    for (;;) {
      const batch = await inbox.take(batchSize, signal);
      if (batch === undefined) return;
      yield batch;
    }
  } finally {
    stayed();
    // What has come is passed over, else the stream never notices that it was cancelled.
    subscription.removeAllListeners('data').resume();
    gone.removeEventListener('abort', onGone);
    end();
    await leave();
  }
}
