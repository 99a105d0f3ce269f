export type { Configuration, EngineMode, LogLevel } from './configuration.ts';
export { ConfigurationError, readConfiguration, type Variables } from './read-configuration.ts';
