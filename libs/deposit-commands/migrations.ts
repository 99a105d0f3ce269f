import { fileURLToPath } from 'node:url';

export const migrations = {
  name: 'deposit_commands',
  directory: fileURLToPath(new URL('./migrations', import.meta.url)),
} as const;
