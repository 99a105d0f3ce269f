import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressOf } from './address-of.ts';
import { closeSoon, LINGER_MS } from './close-soon.ts';
import { isKnown } from './known-connections.ts';
import { createRooms, type Room } from './rooms.ts';
import { wasLeft } from './take-in.ts';

const MAX_UNANSWERED = 32;

/** Whatever is in it: what the server makes of a request before anybody looks at it. */
const BYTES_OF_ONE = 6_000;

/** Of a text that is kept, beside its characters. */
const BYTES_OF_TEXT = 32;

/** What one reading of a connection brings at the most. */
const ONE_READING = 65_536;

/** Of all that wait for their turn on connections of this process. Clients that wait for each answer need none of it. */
const rooms = createRooms({ most: 32 * 1_048_576, mostOfOne: 8 * 1_048_576, forKnown: 16 * 1_048_576, free: 0 });

/** Of one connection: how many of its requests have no answer yet, and the work of those that wait for their turn. */
type Line = {
  unanswered: number;
  newest: IncomingMessage | undefined;
  answering: ServerResponse | undefined;
  /** What came is no HTTP: nothing more is read of it. */
  isBroken: boolean;
  bytes: number;
  room: Room | undefined;
  readonly waiting: (() => void)[];
};

const lines = new WeakMap<Socket, Line>();

const leaveRoom = (line: Line): void => {
  line.room?.leave();
  line.room = undefined;
  line.bytes = 0;
};

const lineOf = (socket: Socket): Line => {
  const known = lines.get(socket);
  if (known) return known;
  const made: Line = {
    ...{ unanswered: 0, newest: undefined, answering: undefined, isBroken: false },
    ...{ bytes: 0, room: undefined, waiting: [] },
  };
  lines.set(socket, made);
  // Whoever reads a body to its end sets the connection going again, and is heard a tick later: it may be paused by then,
  // and `pause` would say nothing more to the server, which has begun to read.
  socket.on('resume', () => {
    if (made.waiting.length > 0) socket.pause().emit('pause');
  });
  socket.once('close', () => leaveRoom(made));
  return made;
};

/** With what the server has read of its body meanwhile. */
const bytesOf = ({ url = '', headers, rawHeaders }: IncomingMessage): number => {
  const head = rawHeaders.reduce((bytes, text) => bytes + text.length + BYTES_OF_TEXT, url.length);
  const body = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : ONE_READING;
  return BYTES_OF_ONE + head + Math.min(body, ONE_READING);
};

/** Whether it may wait. Nothing more is read of the connection meanwhile: what comes would have to be kept. */
const wait = (request: IncomingMessage, line: Line, work: () => void): boolean => {
  const { socket } = request;
  line.room ??= rooms.enter(addressOf({ ip: socket.remoteAddress }), {
    isKnown: isKnown(socket),
    letGo: () => {
      leaveRoom(line);
      socket.destroy();
    },
  });
  line.bytes += bytesOf(request);
  if (!line.room.grow(line.bytes)) return false;
  line.waiting.push(work);
  socket.pause();
  return true;
};

const goOn = (socket: Socket, line: Line): void => {
  const work = line.waiting.shift();
  if (line.room && line.waiting.length === 0) {
    leaveRoom(line);
    socket.resume();
  }
  work?.();
};

/**
 * What nobody reads of a body, and is still to come behind the answer, may come for a moment: each of its pieces costs the
 * same, however little is in it.
 */
const endUnread = (request: IncomingMessage, socket: Socket): void => {
  const linger = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, LINGER_MS);
  linger.unref();
};

/**
 * One packet can carry a thousand requests, whose answers would all be prepared and kept for somebody who need not
 * read a single one. Who sends that many before the first answer loses the connection; of fewer the next is looked at
 * when the answer before it is on its way, so that no more than one waits to be read.
 */
export const inTurn = (request: IncomingMessage, response: ServerResponse, work: () => void): void => {
  const { socket } = request;
  // What came in the same packet is still parsed.
  if (socket.destroyed) return;
  const line = lineOf(socket);
  line.unanswered += 1;
  line.newest = request;
  const begin = (): void => {
    line.answering = response;
    work();
  };
  response.once('close', () => {
    line.unanswered -= 1;
    // A connection that is kept would keep it, and all that its caller asked for.
    line.answering = undefined;
    if (!request.complete) endUnread(request, socket);
    if (wasLeft(request)) closeSoon(socket);
    else if (socket.writable) goOn(socket, line);
  });
  if (line.unanswered === 1) begin();
  else if (line.unanswered > MAX_UNANSWERED || !wait(request, line, begin)) socket.destroy();
};

/**
 * What is to be said of bytes that are no HTTP has its turn like any answer: before it, it would be taken for that of a call
 * that is carried out. Broken within a body, they are of the newest request, which has no other answer any more.
 */
export const behindAnswers = (socket: Duplex, say: () => void): void => {
  const line = socket instanceof Socket ? lines.get(socket) : undefined;
  if (line?.isBroken) return;
  if (line) line.isBroken = true;
  const isOfNewest = line?.newest?.complete === false;
  if (!line || line.unanswered === 0 || (isOfNewest && line.unanswered === 1)) say();
  else {
    if (isOfNewest) line.waiting.pop();
    line.waiting.push(say);
  }
};

/** There is room for more of the answer that is being written. */
export const goOnWriting = (socket: Socket): void => {
  lines.get(socket)?.answering?.emit('drain');
};

export const isBeingAnswered = (socket: Socket): boolean => (lines.get(socket)?.unanswered ?? 0) > 0;

/** Its answer is still being made: it is not the other side that keeps silent. */
export const waitsForUs = (socket: Socket): boolean => socket.writableLength === 0 && isBeingAnswered(socket);
