import { migrations, openPostgresBus } from '#bus/postgres';
import { describeSignalsTopic } from '../testing/signals-topic.ts';

describeSignalsTopic('Postgres', [migrations], async (databaseUrl) => {
  const bus = openPostgresBus({ databaseUrl, pollMs: 50 });
  return { bus, close: bus.close };
});
