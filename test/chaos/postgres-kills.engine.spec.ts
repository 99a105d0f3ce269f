import { migrations, openPostgresEventLog } from '#event-log/postgres';
import { migrate } from '#platform/migrations';
import { startPostgresServer } from '../support/postgres-server.ts';
import { describeKills } from './kills.ts';

describeKills('Postgres', 'postgres', async () => {
  const server = await startPostgresServer();
  await migrate(server.url, migrations);
  return { ...server, open: () => openPostgresEventLog({ databaseUrl: server.url }) };
});
