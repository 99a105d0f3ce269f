import { migrations, openPostgresBus } from '#bus/postgres';
import { migrate } from '#platform/migrations';
import { freshDatabase } from '../../../test/support/database.ts';
import { describeSignalsTopic } from '../testing/signals-topic.ts';

describeSignalsTopic('Postgres', freshDatabase, async (databaseUrl) => {
  await migrate(databaseUrl, migrations);
  const bus = openPostgresBus({ databaseUrl, pollMs: 50 });
  return { bus, close: bus.close };
});
