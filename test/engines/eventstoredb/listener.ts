import { createServer, type Socket } from 'node:net';
import type { ConnectionInjector } from '@grpc/grpc-js';

export type Place = { readonly host: string; readonly port: number };

export type Listener = {
  readonly port: number;
  /** Resets every connection, as if the network had gone. */
  cut(): void;
  /** No new connections; the open ones go on. */
  close(): void;
};

/** Sockets of our own in front of the gRPC server, which would not let go of them one by one. */
export const listen = async (injector: ConnectionInjector, { host, port }: Place): Promise<Listener> => {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    injector.injectConnection(socket);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`no TCP port to listen on: ${address}`);
  return {
    port: address.port,
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    close: () => server.close(),
  };
};
