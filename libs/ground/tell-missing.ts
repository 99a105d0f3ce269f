import type { Configuration } from '#platform/configuration';
import type { Health } from '#platform/health';
import type { Logger } from '#platform/logging';

const settingsBehind = ({ eventStore, bus }: Configuration): ReadonlyMap<string, string> =>
  new Map([
    ['database', 'DATABASE_URL'],
    ['event log', eventStore.kind === 'postgres' ? 'DATABASE_URL' : 'EVENTSTORE_URL'],
    ['bus', bus.kind === 'postgres' ? 'DATABASE_URL' : 'KAFKA_BROKERS'],
  ]);

/** A start does not wait for the servers of others, which may come up later; but it says which of them it misses. */
export const tellMissing = async (health: Health, configuration: Configuration, logger: Logger): Promise<void> => {
  const settings = settingsBehind(configuration);
  const { checks } = await health.readiness();
  for (const { name, ok, detail } of checks) {
    const setting = settings.get(name);
    if (!ok && setting) logger.warn({ detail }, `not ready: the ${name} that ${setting} names does not answer yet`);
  }
};
