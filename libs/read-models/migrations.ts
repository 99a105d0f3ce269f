import { fileURLToPath } from 'node:url';

/** For the migration runner of platform: the checkpoints. */
export const migrations = { name: 'read_models', directory: fileURLToPath(new URL('migrations', import.meta.url)) };
