import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { waitsForUs } from './in-turn.ts';

/** Within the time after which a connection is closed. */
const LOOKS = 12;

/** Each is the socket's own silence: the runtime puts it off once where something was taken of an answer, so it is to be short. */
export const betweenLooks = (unreadMs: number): number => Math.ceil(unreadMs / LOOKS);

/** Up to which it is the same silence: a busy process looks late. Where something moved, it looks twice as late. */
const LATE = 1.9;

type Silence = { readonly until: number; readonly ms: number; readonly moved: number };

const movedOn = ({ bytesRead, bytesWritten, writableLength }: Socket): number =>
  bytesRead + bytesWritten - writableLength;

/**
 * Closes what nothing moves on. Not by one look after the whole time: the runtime takes what the system took of an answer
 * at once, for its own buffers, for a move as late as its first look, and would keep a whole answer twice as long.
 */
export const closeUnread = (server: Server, unreadMs: number): void => {
  const silences = new WeakMap<Socket, Silence>();
  const betweenMs = betweenLooks(unreadMs);

  const silenceOn = (socket: Socket): number => {
    const { timeout = betweenMs } = socket;
    const [now, moved, last] = [performance.now(), movedOn(socket), silences.get(socket)];
    const goesOn = last?.moved === moved && now - last.until < LATE * timeout;
    const ms = timeout + (goesOn ? last.ms : 0);
    silences.set(socket, { until: now, ms, moved });
    return ms;
  };

  server.setTimeout(betweenMs, (socket) => {
    if (!waitsForUs(socket) && silenceOn(socket) >= unreadMs) socket.destroy();
    else socket.setTimeout(betweenMs);
  });
};
