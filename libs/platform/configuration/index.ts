export type { Variables } from '#platform/from-files';
export type {
  ChainConfiguration,
  Configuration,
  KafkaConfiguration,
  ProviderConfiguration,
  RateSourceName,
} from './configuration.ts';
export { idleSettings } from './idle.ts';
export { ConfigurationError, readConfiguration } from './read-configuration.ts';
