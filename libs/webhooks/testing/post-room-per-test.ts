import { beforeEach } from '@jest/globals';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { migrations } from '../index.ts';
import { type Endpoint, ok, openEndpoint } from './endpoint.ts';
import { eventually } from './eventually.ts';
import { openPostRoom, type PostRoom, targetAt } from './post-room.ts';

export const casino = 41;

/** A post room of its own for each test, and what a test on deliveries does with it. */
export const postRoomPerTest = () => {
  const database = databasePerTest(migrations);
  let room: PostRoom;
  let endpoints: Endpoint[];

  beforeEach(async () => {
    room = database.closing(await openPostRoom(database.url));
    endpoints = [];
  });

  const onlyDelivery = async (entityId = casino) => {
    const { items: deliveries } = await room.list(entityId);
    const [first] = deliveries;
    if (!first || deliveries.length > 1) throw new Error(`${deliveries.length} deliveries`);
    return first;
  };

  return {
    database,
    get room() {
      return room;
    },
    get endpoints(): readonly Endpoint[] {
      return endpoints;
    },
    onlyDelivery,
    endpointOf: async (
      entityId: number,
      how: Parameters<Endpoint['answer']>[0] = ok,
      affiliateId = 1,
    ): Promise<Endpoint> => {
      const endpoint = database.closing(await openEndpoint(how));
      endpoints.push(endpoint);
      room.targets.set(entityId, targetAt(endpoint.url, { affiliateId }));
      return endpoint;
    },
    becomes: (status: string, attempts: number, entityId = casino) =>
      eventually(`${status} after ${attempts}`, async () => {
        const delivery = await onlyDelivery(entityId);
        return delivery.status === status && delivery.attempts.length === attempts;
      }),
    secondsUntilNext: async (): Promise<number> => {
      const { rows } = await room.pool.query<{ seconds: number }>(
        'SELECT extract(epoch FROM coalesce(leased_until, due_at) - now())::float8 AS seconds FROM webhooks_undelivered',
      );
      return rows[0]?.seconds ?? Number.NaN;
    },
  };
};
