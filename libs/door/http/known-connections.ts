import type { Socket } from 'node:net';
import type { RequestNotes } from '#platform/logging';

const known = new WeakSet<Socket>();

const newest = new WeakMap<Socket, RequestNotes>();

const showedWho = (socket: Socket): boolean => newest.get(socket)?.caller !== undefined;

/** What becomes known of the caller of its next request. */
export const noteOn = (socket: Socket, notes: RequestNotes): void => {
  if (showedWho(socket)) known.add(socket);
  newest.set(socket, notes);
};

/** It is a proxy's that was named, and whose callers are many. */
export const trust = (socket: Socket): void => {
  known.add(socket);
};

/** A good credential was shown on it, also with the request that is answered now: no stranger's. */
export const isKnown = (socket: Socket): boolean => known.has(socket) || showedWho(socket);
