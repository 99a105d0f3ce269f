import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf } from './address-of.ts';
import { isKnown } from './known-connections.ts';

/** With an unfinished head on each, of 16 KB, they take 60 MB. */
const MOST_STRANGERS = 2_500;

/** Of all: each holds a descriptor, too. */
const MOST_CONNECTIONS = 5_000;

/** Which address has the most connections, told without looking at all of them. */
const createCrowds = () => {
  const socketsOf = new Map<string, Set<Socket>>();
  const ofSize: Set<string>[] = [];
  let largest = 0;
  const move = (address: string, from: number, to: number): void => {
    ofSize[from]?.delete(address);
    ofSize[to] ??= new Set();
    if (to > 0) ofSize[to].add(address);
    largest = Math.max(largest, to);
    while (largest > 0 && ofSize[largest]?.size === 0) largest -= 1;
  };
  return {
    add: (address: string, socket: Socket): void => {
      const sockets = socketsOf.get(address) ?? new Set();
      socketsOf.set(address, sockets.add(socket));
      move(address, sockets.size - 1, sockets.size);
    },
    remove: (address: string, socket: Socket): boolean => {
      const sockets = socketsOf.get(address);
      if (!sockets?.delete(socket)) return false;
      move(address, sockets.size + 1, sockets.size);
      if (sockets.size === 0) socketsOf.delete(address);
      return true;
    },
    /** The oldest connection of the address that has the most. */
    first: (): { readonly address: string; readonly socket: Socket } | undefined => {
      for (const address of ofSize[largest] ?? [])
        for (const socket of socketsOf.get(address) ?? []) return { address, socket };
      return undefined;
    },
  };
};

/**
 * Anybody may open a connection and leave it, or a head on it, unfinished. Past so many of such callers the address that
 * has the most loses its oldest: a crowd makes room for whoever comes, and takes none from connections of known callers.
 */
export const boundStrangers = (server: Server, most = MOST_STRANGERS): void => {
  server.maxConnections = MOST_CONNECTIONS;
  const crowds = createCrowds();
  let count = 0;
  const forget = (address: string, socket: Socket): void => {
    if (crowds.remove(address, socket)) count -= 1;
  };
  server.on('connection', (socket) => {
    const address = addressOf({ ip: socket.remoteAddress });
    crowds.add(address, socket);
    count += 1;
    socket.once('close', () => forget(address, socket));
    while (count > most) {
      const first = crowds.first();
      if (!first) return;
      forget(first.address, first.socket);
      if (!isKnown(first.socket)) first.socket.destroy();
    }
  });
};
