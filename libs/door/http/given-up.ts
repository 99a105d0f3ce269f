import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { goOnWriting } from './in-turn.ts';

/**
 * At `CONNECT` the HTTP server gives a connection up, also where answers of calls before it are still to come. It hears no more
 * of an error on it, and one that nobody hears ends the process; nor of silence, nor of room for more of an answer; and closes
 * it with none of its others. Until the answers are out all that is done for it here.
 */
export const holdGivenUp = (server: Server, betweenMs: number): ((socket: Duplex) => void) => {
  const held = new Set<Duplex>();
  const closeAll = server.closeAllConnections;
  server.closeAllConnections = () => {
    closeAll.call(server);
    for (const socket of held) socket.destroy();
  };
  return (socket) => {
    held.add(socket);
    socket.on('error', () => undefined).once('close', () => held.delete(socket));
    if (!(socket instanceof Socket)) return;
    socket.on('drain', () => goOnWriting(socket));
    // Not by the call itself: that is heard once, and whoever waits for us is silent more often.
    socket.setTimeout(betweenMs).on('timeout', () => server.emit('timeout', socket));
  };
};
