import kafkajs, { type Admin } from 'kafkajs';

const { ConfigResourceTypes, ConfigSource } = kafkajs;

export type TopicSettings = Readonly<Record<string, string>>;

/**
 * Not left to what the brokers are set to. Compacted, a topic would lose all but the newest message of a deposit;
 * uncompressed, brokers open what others compressed, so that no client has to.
 */
export const NEEDED: TopicSettings = { 'cleanup.policy': 'delete', 'compression.type': 'uncompressed' };

export const entriesOf = (settings: TopicSettings) =>
  Object.entries(settings).map(([name, value]) => ({ name, value }));

const describe = async (admin: Admin, topic: string) => {
  const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic }];
  const { resources: told } = await admin.describeConfigs({ resources, includeSynonyms: false });
  return told[0]?.configEntries ?? [];
};

/** Kafka takes away what is not named when a topic is altered: all that was set on it is said again. */
export const giveSettings = async (admin: Admin, topic: string, wanted: TopicSettings): Promise<readonly string[]> => {
  const entries = await describe(admin, topic);
  const differing = entries.filter(({ configName, configValue }) => {
    const value = wanted[configName];
    return value !== undefined && value !== configValue;
  });
  if (differing.length === 0) return [];
  const own = entries.filter(({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG);
  const kept = Object.fromEntries(own.map(({ configName, configValue }) => [configName, configValue]));
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries: entriesOf({ ...kept, ...wanted }) }],
  });
  return differing.map(({ configName, configValue }) => `${configName} was ${configValue}`);
};
