export type {
  ChainConfiguration,
  Configuration,
  KafkaConfiguration,
  ProviderConfiguration,
  RateSourceName,
} from './configuration.ts';
export type { Variables } from './from-files.ts';
export { ConfigurationError, readConfiguration, shownSettings } from './read-configuration.ts';
