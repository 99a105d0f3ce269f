import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf } from './address-of.ts';
import { createCrowds } from './crowds.ts';
import { isBeingAnswered } from './in-turn.ts';
import { ownerOf } from './known-connections.ts';

/** With an unfinished head on each they take some 20 MB. */
const MOST_STRANGERS = 800;

/** Two proxies with 2,000 each are none too many. */
const MOST_KNOWN = 4_000;

/**
 * Of the known ones, with an answer being made on each. Whoever has more keeps none that somebody else needs: a call whose body
 * never ends makes its connection a busy one.
 */
const MODEST_SHARE = 1 / 8;

/** Each holds a descriptor, too. More than both together, so that it refuses nobody. */
const MOST_CONNECTIONS = 5_000;

/**
 * Anybody may open a connection and leave it, or a head on it, unfinished. Past so many of such callers the address that
 * has the most loses its oldest: a crowd makes room for whoever comes, and takes none from connections of known callers.
 * Of those the affiliate (or operator, engine, proxy) that has the most loses one to others: none holds a place that somebody
 * else needs.
 */
export const boundConnections = (
  server: Server,
  { mostStrangers = MOST_STRANGERS, mostKnown = MOST_KNOWN }: { mostStrangers?: number; mostKnown?: number } = {},
) => {
  server.maxConnections = MOST_CONNECTIONS;
  const [strangers, known] = [createCrowds(), createCrowds()];
  const place = (socket: Socket): void => {
    const owner = ownerOf(socket);
    const [to, from] = owner === undefined ? [strangers, known] : [known, strangers];
    from.remove(socket);
    to.put(owner ?? addressOf({ ip: socket.remoteAddress }), socket);
  };
  const letStrangersGo = (): void => {
    while (strangers.count() > mostStrangers) {
      const first = strangers.first();
      if (!first) return;
      place(first);
      if (ownerOf(first) === undefined) end(first);
    }
  };
  const letKnownGo = (): void => {
    while (known.count() > mostKnown) {
      const first = known.first(isBeingAnswered, mostKnown * MODEST_SHARE);
      if (!first) return;
      end(first);
    }
  };
  const forget = (socket: Socket): void => {
    strangers.remove(socket);
    known.remove(socket);
  };
  const end = (socket: Socket): void => {
    forget(socket);
    socket.destroy();
  };
  const look = (socket: Socket): void => {
    if (socket.destroyed) return;
    place(socket);
    letStrangersGo();
    letKnownGo();
  };
  server.on('connection', (socket) => {
    socket.once('close', () => forget(socket));
    look(socket);
  });
  /** Once a call on it is answered: whose it is may have changed. */
  return look;
};
