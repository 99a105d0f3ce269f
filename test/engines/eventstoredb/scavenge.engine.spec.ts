import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StandIn, startStandIn } from './standIn.ts';
import { connect, event, PLAIN, until } from './support/client.ts';

let dataDir: string;
let standIn: StandIn;
let client: EventStoreDBClient;

const start = async () => {
  standIn = await startStandIn({ dataDir });
  client = connect(standIn.url);
};

const stop = async () => {
  await client.dispose();
  standIn.kill();
};

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stand-in-'));
  await start();
});

afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
});

const written = (stream: string, count: number) =>
  client.appendToStream(
    stream,
    Array.from({ length: count }, (_, n) => event(n)),
    PLAIN,
  );

/** Of streams that are not the server's, the oldest first; a tombstone has no number. */
const left = async () => {
  const found: string[] = [];
  for await (const { event: read } of client.readAll())
    if (read && !read.streamId.startsWith('$'))
      found.push(`${read.streamId} ${read.type.startsWith('$') ? read.type : read.revision}`);
  return found;
};

describe('a scavenge', () => {
  it('takes what is hidden: all that was deleted for good, and of what else is hidden all but the last', async () => {
    await written('whole', 2);
    await written('deleted', 3);
    await written('gone', 3);
    await written('short', 4);
    await client.deleteStream('deleted', PLAIN);
    await client.tombstoneStream('gone', PLAIN);
    await client.setStreamMetadata('short', { truncateBefore: 2 }, PLAIN);
    expect(await left()).toHaveLength(13);
    standIn.scavenge();
    const after = ['whole 0', 'whole 1', 'deleted 2', 'short 2', 'short 3', 'gone $streamDeleted'];
    expect(await left()).toEqual(after);
    await stop();
    await start();
    expect(await left()).toEqual(after);
  });

  it('writes of itself behind all that it takes, and nobody loses his place', async () => {
    await written('whole', 1);
    await written('gone', 3);
    const places = [];
    for await (const { event: read } of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 2 }))
      if (read) places.push(read.position);
    const [place] = places;
    const seen: string[] = [];
    const subscription = client.subscribeToAll();
    subscription.on('data', ({ event: read }) => read && seen.push(read.streamId));
    await until(() => seen.filter((stream) => stream === 'gone').length === 3);
    await client.tombstoneStream('gone', PLAIN);
    standIn.scavenge();
    await written('whole', 1);
    await until(() => seen.filter((stream) => stream === 'whole').length === 2);
    await subscription.unsubscribe();
    const behind: string[] = [];
    for await (const { event: read } of client.readAll({ ...(place && { fromPosition: place }) }))
      if (read) behind.push(`${read.streamId} ${read.type}`);
    expect(behind).toEqual(['gone $streamDeleted', '$scavenges $scavengePoint', 'whole Tested']);
  });
});
