import { once } from 'node:events';

/** A slow reader is waited for. */
export const written = async (text: string | Uint8Array): Promise<void> => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
};
