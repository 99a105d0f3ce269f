import { fileURLToPath } from 'node:url';

export const migrations = {
  name: 'messages',
  directory: fileURLToPath(new URL('./migrations', import.meta.url)),
} as const;
