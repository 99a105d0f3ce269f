import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Takes every connection and says nothing on it. */
export const startSilentServer = async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    stop: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
