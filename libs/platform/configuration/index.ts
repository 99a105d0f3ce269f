export type { Configuration, EngineMode, LogLevel, RateSourceName } from './configuration.ts';
export { ConfigurationError, readConfiguration, type Variables } from './read-configuration.ts';
