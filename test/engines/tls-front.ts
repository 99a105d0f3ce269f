import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls';
import type { KeyStore } from './key-store.ts';

export type TlsFront = {
  readonly port: number;
  /** How many spoke TLS, and how many tried to do without. */
  readonly met: { secured: number; plain: number };
  readonly close: () => Promise<void>;
};

/** What a client of Postgres says before it speaks TLS: a length and a number that is no version. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

const join = (one: Socket, other: Socket): void => {
  one.pipe(other).pipe(one);
  for (const end of [one, other])
    end.on('error', () => {
      one.destroy();
      other.destroy();
    });
};

/** In front of a server on the loopback that speaks no TLS: what comes in plain text is cut off. */
export const startTlsFront = async (
  to: number,
  { file, password }: KeyStore,
  speaks: 'tls' | 'postgres',
): Promise<TlsFront> => {
  const options: TlsOptions = { pfx: readFileSync(file), passphrase: password, ALPNProtocols: ['h2'] };
  const met = { secured: 0, plain: 0 };
  const secured = (socket: Socket): void => {
    met.secured += 1;
    join(socket, connect(to, '127.0.0.1'));
  };
  const refuse = (socket: Socket): void => {
    met.plain += 1;
    socket.destroy();
  };
  const secureContext = createSecureContext(options);
  const whoAsksFirst = (socket: Socket): void => {
    socket.once('data', (first) => {
      if (!first.equals(SSL_REQUEST)) return refuse(socket);
      socket.write('S');
      return secured(new TLSSocket(socket, { isServer: true, secureContext }));
    });
  };
  const server =
    speaks === 'postgres'
      ? createServer(whoAsksFirst)
      : createTlsServer(options, secured).on('tlsClientError', (_, socket) => refuse(socket));
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    met,
    close: async () => {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
};
