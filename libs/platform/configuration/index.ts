export type { ChainConfiguration } from './chains.ts';
export type { Configuration, KafkaConfiguration, RateSourceName } from './configuration.ts';
export type { Variables } from './from-files.ts';
export { ConfigurationError, readConfiguration } from './read-configuration.ts';
