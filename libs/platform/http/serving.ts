import type { Server } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Lifecycle } from '../lifecycle/index.ts';

export type Place = { readonly host: string; readonly port: number };

/** A place that cannot be listened on; the message names the setting to change. */
export class ListenError extends Error {}

const REASONS: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port }) => `PORT ${port} on ${host} is taken by another process: set PORT`,
  EACCES: ({ host, port }) => `PORT ${port} on ${host} may not be used by this user: set PORT to 1024 or more`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is not an address of this machine: set HOST`,
  ENOTFOUND: ({ host }) => `HOST ${host} is an unknown name: set HOST`,
  EAI_AGAIN: ({ host }) => `HOST ${host} cannot be resolved now: set HOST`,
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

const untilClosed = async (closed: Promise<void>, server: Server, boundMs: number): Promise<void> => {
  const deadline = performance.now() + boundMs;
  let open = true;
  void closed.then(() => {
    open = false;
  });
  while (open && performance.now() < deadline) {
    server.closeIdleConnections();
    await Promise.race([closed, later(20)]);
  }
  server.closeAllConnections();
};

/** New connections are refused at once; requests under way get `boundMs` to finish. */
export const drainOnStop = (app: NestFastifyApplication, lifecycle: Lifecycle, boundMs = 8_000): void => {
  const server: Server = app.getHttpServer();
  const closed = Promise.withResolvers<void>();
  lifecycle.onStop('stop-accepting', 'the HTTP server', () => {
    server.close(() => closed.resolve());
  });
  lifecycle.onStop('finish-requests', 'the HTTP server', async () => {
    await untilClosed(closed.promise, server, boundMs);
    await app.close();
  });
};
