import type { Duplex } from 'node:stream';

/** How long the other side may take to read the answer; then its connection is taken back, closed there or not. */
export const LINGER_MS = 1_000;

/** Takes a connection back whose other side was told all that there is to tell. */
export const closeSoon = (socket: Duplex): void => {
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
};
