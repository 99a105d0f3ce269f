export { baseBackup, bytesEntry } from './base-backup.ts';
export { EmbeddedPostgresError } from './error.ts';
export { reachEmbeddedPostgres } from './reach.ts';
export { restoreDataDir } from './restored.ts';
export { restoredMarkOf } from './restored-mark.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
