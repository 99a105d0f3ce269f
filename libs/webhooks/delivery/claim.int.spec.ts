import { describe, expect, it } from '@jest/globals';
import { postRoomPerTest } from '../testing/post-room-per-test.ts';
import type { Claimed } from './claim.ts';
import type { KnownEndpoint } from './room.ts';
import { redeliver } from './send-again.ts';

const post = postRoomPerTest();

const [big, small] = [1, 2];

/** An affiliate of thirty casinos, and one of a casino, with something due at each. */
const fill = async (each: number): Promise<void> => {
  for (let casino = 100; casino < 130; casino++) {
    await post.endpointOf(casino, undefined, big);
    await post.room.made(casino, each);
  }
  await post.endpointOf(200, undefined, small);
  await post.room.made(200, each);
};

const nothing = { quick: 0, fresh: 0, doubtful: 0 };

const countOf = (claimed: readonly Claimed[], owner: number): number =>
  claimed.filter((one) => one.owner === owner).length;

const knownAs = (how: Omit<KnownEndpoint, 'owner'>): ReadonlyMap<string, KnownEndpoint> =>
  new Map([
    ...Array.from({ length: 30 }, (_, n) => [`entity ${100 + n}`, { owner: big, ...how }] as const),
    ['entity 200', { owner: small, ...how }],
  ]);

describe('a claim', () => {
  it('takes of many endpoints of an affiliate no more than its part, whatever is known of them', async () => {
    // One that the first two claims have both chosen still has as many as the third may take of it.
    await fill(6);
    const parts = new Map([[big, { quick: 12, fresh: 6, doubtful: 4 }]]);
    const rest = { room: 100, parts, partOfOthers: { quick: 3, fresh: 1, doubtful: 1 }, leaseMs: 60_000 };
    const counts = [];
    for (const known of [new Map(), knownAs({ ahead: 0, once: true }), knownAs({ ahead: 4, once: false })]) {
      const claimed = await post.room.claim({ ...rest, known });
      counts.push([countOf(claimed, big), countOf(claimed, small)]);
    }
    expect(counts).toEqual([
      [6, 1],
      [4, 1],
      [12, 3],
    ]);
  });

  it('that is full has something of each affiliate', async () => {
    await fill(2);
    const parts = new Map([[big, { ...nothing, quick: 100 }]]);
    const known = knownAs({ ahead: 2, once: false });
    const partOfOthers = { ...nothing, quick: 100 };
    const claimed = await post.room.claim({ room: 4, known, parts, partOfOthers, leaseMs: 60_000 });
    expect([countOf(claimed, big), countOf(claimed, small)]).toEqual([2, 2]);
  });

  it('spends nothing of the part on endpoints of which all is claimed already', async () => {
    await fill(1);
    const parts = new Map([[big, { ...nothing, quick: 1 }]]);
    const known = knownAs({ ahead: 1, once: false });
    const asked = { room: 100, known, parts, partOfOthers: nothing, leaseMs: 60_000 };
    // Each time one more has nothing left, and the last one alone has something.
    for (let claims = 0; claims < 30; claims++) expect(countOf(await post.room.claim(asked), big)).toBe(1);
    expect(await post.room.claim(asked)).toEqual([]);
  });

  it('knows the affiliate of what is sent again', async () => {
    await post.endpointOf(200, undefined, small);
    await post.room.made(200);
    const scheduler = post.room.scheduler();
    await post.becomes('delivered', 1, 200);
    await scheduler.stop();
    const { id } = await post.onlyDelivery(200);
    await redeliver(post.room.pool, id);
    const { rows } = await post.room.pool.query('SELECT owner FROM webhooks_undelivered');
    expect(rows).toEqual([{ owner: small }]);
  });
});
