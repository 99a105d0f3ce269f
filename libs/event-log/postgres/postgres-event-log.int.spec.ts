import { migrate } from '#platform/migrations';
import { startPostgresServer } from '../../../test/support/postgres-server.ts';
import { describeEventLog } from '../contract/index.ts';
import { migrations, openPostgresEventLog } from './index.ts';

describeEventLog('Postgres', async () => {
  const server = await startPostgresServer();
  await migrate(server.url, migrations);
  return {
    open: ({ shaky = false, ...options } = {}) =>
      openPostgresEventLog({ databaseUrl: shaky ? server.shakyUrl : server.url, ...options }),
    hold: server.hold,
    cut: server.cut,
    crash: server.crash,
    stop: server.stop,
  };
});
