export { EmbeddedPostgresError } from './error.ts';
export { reachEmbeddedPostgres } from './reach.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
