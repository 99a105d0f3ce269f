import { fileURLToPath } from 'node:url';

export const migrations = {
  name: 'rates',
  directory: fileURLToPath(new URL('./migrations', import.meta.url)),
} as const;
