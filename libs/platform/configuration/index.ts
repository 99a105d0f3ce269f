export type { ChainConfiguration, Configuration, KafkaConfiguration, RateSourceName } from './configuration.ts';
export type { Variables } from './from-files.ts';
export { ConfigurationError, readConfiguration } from './read-configuration.ts';
