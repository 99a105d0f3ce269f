import { migratePostgresBus, openPostgresBus } from '#bus/postgres';
import { freshDatabase } from '../../../test/support/database.ts';
import { describeSignalsTopic } from '../testing/signals-topic.ts';

describeSignalsTopic('Postgres', freshDatabase, async (databaseUrl) => {
  await migratePostgresBus(databaseUrl);
  const bus = openPostgresBus({ databaseUrl, pollMs: 50 });
  return { bus, close: bus.close };
});
