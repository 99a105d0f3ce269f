import { freshDatabase } from '../../../test/support/database.ts';
import { describeBus } from '../contract/index.ts';
import { migrations } from './index.ts';

describeBus('Postgres', async () => {
  const database = await freshDatabase(migrations);
  return {
    recipe: {
      module: new URL('./index.ts', import.meta.url).href,
      open: 'openPostgresBus',
      options: { databaseUrl: database.url, heartbeatMs: 200, pollMs: 500 },
    },
    serverPorts: [Number(new URL(database.url).port)],
    takeOverMs: 6_000,
    longBatchMs: 4_000,
    tearDown: database.drop,
  };
});
