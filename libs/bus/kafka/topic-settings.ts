import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';

const { ConfigResourceTypes, ConfigSource } = kafkajs;

export type TopicSettings = Readonly<Record<string, string>>;

/**
 * Not left to what the brokers are set to. Compacted, a topic would lose all but the newest message of a deposit;
 * uncompressed, brokers open what others compressed, so that no client has to.
 */
export const NEEDED: TopicSettings = { 'cleanup.policy': 'delete', 'compression.type': 'uncompressed' };

const entriesOf = (settings: TopicSettings) => Object.entries(settings).map(([name, value]) => ({ name, value }));

const REFUSALS = new Set<unknown>(['INVALID_CONFIG', 'POLICY_VIOLATION']);

const typesOf = (error: unknown): readonly unknown[] => {
  if (typeof error !== 'object' || error === null) return [];
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.flatMap(typesOf);
  return 'type' in error ? [error.type] : [];
};

/** Some brokers let nobody choose how a topic is compressed: one of theirs is better than none. */
export const createTopic = async (
  admin: Pick<Admin, 'createTopics'>,
  wanted: ITopicConfig,
  settings: TopicSettings,
  onRefused: (error: unknown) => void,
): Promise<boolean> => {
  try {
    return await admin.createTopics({ topics: [{ ...wanted, configEntries: entriesOf({ ...NEEDED, ...settings }) }] });
  } catch (error) {
    if (!typesOf(error).some((type) => REFUSALS.has(type))) throw error;
    const made = await admin.createTopics({ topics: [{ ...wanted, configEntries: entriesOf(settings) }] });
    onRefused(error);
    return made;
  }
};

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
