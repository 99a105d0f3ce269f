export type { Variables } from '#platform/from-files';
export type {
  ChainConfiguration,
  Configuration,
  KafkaConfiguration,
  ProviderConfiguration,
  RateSourceName,
} from './configuration.ts';
export { ConfigurationError, readConfiguration, shownSettings } from './read-configuration.ts';
