import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { isNativeError } from 'node:util/types';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Lifecycle } from '#platform/lifecycle';
import { endsWithin } from '#platform/pause';

export type Place = {
  readonly host: string;
  readonly port: number;
  /** What its settings' names begin with. */
  readonly settings?: string;
};

/** A place that cannot be listened on; the message names the setting to change. */
export class ListenError extends Error {}

const REASONS: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port, settings: of = '' }) =>
    `${of}PORT ${port} on ${host} is taken by another process: set ${of}PORT`,
  EACCES: ({ host, port, settings: of = '' }) =>
    `${of}PORT ${port} on ${host} may not be used by this user: set ${of}PORT to 1024 or more`,
  EADDRNOTAVAIL: ({ host, settings: of = '' }) => `${of}HOST ${host} is not an address of this machine: set ${of}HOST`,
  ENOTFOUND: ({ host, settings: of = '' }) => `${of}HOST ${host} is an unknown name: set ${of}HOST`,
  EAI_AGAIN: ({ host, settings: of = '' }) => `${of}HOST ${host} cannot be resolved now: set ${of}HOST`,
};

/** The line to print when `error` says that `place` cannot be had. */
export const listenError = (error: unknown, place: Place): unknown => {
  const code = isNativeError(error) && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  return reason ? new ListenError(reason(place), { cause: error }) : error;
};

const urlOf = (server: Server, { host }: Place): string => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

export const listen = async (app: NestFastifyApplication, place: Place): Promise<string> => {
  try {
    await app.listen(place.port, place.host);
  } catch (error) {
    throw listenError(error, place);
  }
  return urlOf(app.getHttpServer(), place);
};

/** What is already on its way over a connection kept alive still gets its answer, and with it the word to go elsewhere. */
const LAST_CALL_MS = 250;

const untilClosed = async (closed: Promise<void>, server: Server, boundMs: number): Promise<void> => {
  const deadline = performance.now() + boundMs;
  let isClosed = await endsWithin(closed, Math.min(LAST_CALL_MS, boundMs));
  while (!isClosed && performance.now() < deadline) {
    server.closeIdleConnections();
    isClosed = await endsWithin(closed, 20);
  }
  server.closeAllConnections();
};

/** New connections are refused at once; requests under way get `boundMs` to finish. */
export const drainOnStop = (app: NestFastifyApplication, lifecycle: Lifecycle, boundMs = 8_000): void => {
  const server: Server = app.getHttpServer();
  const closed = Promise.withResolvers<void>();
  lifecycle.onStop('stop-accepting', 'the HTTP server', () => {
    // Not the HTTP server's own `close`, which cuts idle connections at once, whatever is being sent on them.
    NetServer.prototype.close.call(server, () => closed.resolve());
  });
  lifecycle.onStop('finish-requests', 'the HTTP server', async () => {
    await untilClosed(closed.promise, server, boundMs);
    await app.close();
  });
};
