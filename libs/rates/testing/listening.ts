import { once } from 'node:events';
import type { Server } from 'node:http';

export const listening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('no port');
  return `http://127.0.0.1:${place.port}`;
};
