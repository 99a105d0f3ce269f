import { fileURLToPath } from 'node:url';

export const migrations = {
  name: 'engine',
  directory: fileURLToPath(new URL('./migrations', import.meta.url)),
} as const;
