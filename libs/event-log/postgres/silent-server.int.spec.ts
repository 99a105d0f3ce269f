import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '#platform/migrations';
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgres-server.ts';
import { all, anEvent, aStream, refusalOf } from '../contract/harness.ts';
import { LogUnavailable, OutcomeUnknown } from '../errors.ts';
import { migrations, openPostgresEventLog } from './index.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer();
  await migrate(server.url, migrations);
}, 60_000);

afterAll(() => server.stop());

describe('A Postgres that keeps its connections and answers nothing', () => {
  it('holds no caller for ever: an append is of unknown outcome, a read unavailable, and both go on later', async () => {
    const log = await openPostgresEventLog({ databaseUrl: server.shakyUrl, answerTimeoutMs: 300, patienceMs: 0 });
    const [stream, event] = [aStream(), anEvent()];
    await log.append(stream, 'no_stream', [event]);
    // One connection may still tell others of it: the next append finds another that is free, and is sent.
    await Promise.all([1, 2, 3].map(() => all(log.read(stream))));
    server.hold();
    const next = anEvent();
    expect(await refusalOf(log.append(stream, 0, [next]))).toBeInstanceOf(OutcomeUnknown);
    expect(await refusalOf(all(log.read(stream)))).toBeInstanceOf(LogUnavailable);
    server.cut();
    const again = await openPostgresEventLog({ databaseUrl: server.shakyUrl });
    expect(await again.append(stream, 0, [next])).toMatchObject({ revision: 1 });
    expect(await all(again.read(stream))).toHaveLength(2);
    await Promise.all([log.close(), again.close()]);
  });

  it('is asked for its head on another connection soon, where the one that lies there has died without a word', async () => {
    const log = await openPostgresEventLog({ databaseUrl: server.shakyUrl });
    await all(log.read(aStream()));
    server.silence();
    const since = performance.now();
    await log.head();
    expect(performance.now() - since).toBeLessThan(8_000);
    await all(log.read(aStream()));
    expect(performance.now() - since).toBeLessThan(9_000);
    await log.close();
  }, 60_000);
});
