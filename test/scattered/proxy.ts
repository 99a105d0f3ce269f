import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from './message.ts';
import { isRepeatable, type Repeats, type Rotation, takeTurns } from './rotation.ts';

export type ProxyOptions = { readonly repeats?: Repeats };

export type RoundRobin = Pick<Rotation, 'add' | 'spare' | 'use'> & {
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** The apps judge what is too long, late or strange, not the proxy before them. */
const lenient = { maxHeaderSize: 128 * 1024, keepAliveTimeout: 72_000, requireHostHeader: false };

const ATTEMPTS = 20;
const PAUSE_MS = 100;

/** What is no HTTP has an answer too. It changes nothing, so an instance that is killed under it leaves it to the next. */
const handOnBroken = (
  bytes: Buffer,
  socket: Duplex,
  portOfNext: () => number | undefined,
  attempts = ATTEMPTS,
): void => {
  const port = socket.writable && attempts > 0 ? portOfNext() : undefined;
  if (port === undefined) {
    socket.destroy();
    return;
  }
  let isAnswered = false;
  const outer = connect(port, '127.0.0.1', () => outer.write(bytes));
  outer.on('data', (chunk) => {
    isAnswered = true;
    socket.write(chunk);
  });
  outer.on('error', () => undefined);
  socket.on('error', () => outer.destroy());
  outer.once('close', () => {
    if (isAnswered) socket.end();
    else setTimeout(() => handOnBroken(bytes, socket, portOfNext, attempts - 1), PAUSE_MS);
  });
};

/** Stands before the instances of all apps: by path, and request by request. */
export const startProxy = async ({ repeats = isRepeatable }: ProxyOptions = {}): Promise<RoundRobin> => {
  const { add, next, answerTo, spare, use } = takeTurns(repeats);
  const handOn = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { status, reason, headers, body } = await answerTo(await messageOf(incoming));
    outgoing.sendDate = false;
    outgoing.writeHead(status, reason, headers).end(body);
  };
  const server = createServer(lenient, (incoming, outgoing) => {
    handOn(incoming, outgoing).catch((error: unknown) => {
      if (incoming.complete) outgoing.writeHead(502).end(String(error));
      else outgoing.destroy();
    });
  });
  server.on('clientError', (error: Error & { readonly rawPacket?: unknown }, socket) => {
    if (Buffer.isBuffer(error.rawPacket)) handOnBroken(error.rawPacket, socket, () => next('/', true)?.port);
    else socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ add, spare, use },
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
