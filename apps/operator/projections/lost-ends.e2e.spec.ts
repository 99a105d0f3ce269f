import { expect, it } from '@jest/globals';
import { knowingOperators } from '#door/access';
import { createHttpApp, listen } from '#door/http';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { migrations as partnersMigrations } from '#partners';
import { operatorByRole } from '#partners/testing';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { migrations } from '#read-models';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { lostEndRoutes } from './lost-ends.controller.ts';

const database = databasePerTest(logMigrations, migrations, partnersMigrations);

const serve = async (): Promise<string> => {
  const log = database.closing(await openPostgresEventLog({ databaseUrl: database.url }));
  const lostEnds = lostEndRoutes({
    log,
    pool: database.pool,
    kinds: [{ prefix: 'deposit-', beside: 'beside-', table: 'deposits' }],
  });
  const app = await createHttpApp([knowingOperators(operatorByRole), lostEnds], {
    ...{ logger: silentLogger, metrics: createMetrics() },
  });
  database.atEnd(() => app.close());
  return listen(app, { host: '127.0.0.1', port: 0 });
};

it('no end of a history is lost that has no name of one, nor of one that was never shown', async () => {
  const url = await serve();
  for (const stream of ['deposit-1%00', 'deposit-1', 'deposit-one', 'deposit-99999999999999999999', 'deposit-']) {
    const answer = await fetch(`${url}/operator/lost-ends/${stream}/accept`, {
      method: 'POST',
      headers: { authorization: 'Bearer admin', 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'the log was put back' }),
    });
    expect([stream, answer.status, await answer.json()]).toMatchObject([stream, 404, { code: 'no_lost_end' }]);
  }
});
