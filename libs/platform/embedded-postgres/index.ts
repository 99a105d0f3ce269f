export { EmbeddedPostgresError } from './error.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
