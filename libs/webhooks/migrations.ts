import { fileURLToPath } from 'node:url';

export const migrations = {
  name: 'webhooks',
  directory: fileURLToPath(new URL('./migrations', import.meta.url)),
} as const;
