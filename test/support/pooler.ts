import { fatalError } from './fatal-error.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** What a pooler such as PgBouncer knows of the first message of a connection; more than that it refuses. */
const KNOWN = new Set([
  ...['user', 'database', 'application_name', 'client_encoding'],
  ...['datestyle', 'timezone', 'standard_conforming_strings'],
]);

const VERSION_3 = 196_608;

/** Behind length and version: each name, and its value. */
const namesIn = (said: Buffer): readonly string[] =>
  said.readInt32BE(4) === VERSION_3
    ? said
        .toString('utf8', 8, said.readInt32BE(0) - 2)
        .split('\0')
        .filter((_, nth) => nth % 2 === 0)
    : [];

const refuse = (said: Buffer): Buffer | undefined => {
  const unknown = namesIn(said).find((name) => !KNOWN.has(name.toLowerCase()));
  return unknown === undefined ? undefined : fatalError('08P01', `unsupported startup parameter: ${unknown}`);
};

export type Pooler = Pick<TcpProxy, 'close'> & {
  /** Of the same database, through it. */
  readonly url: string;
};

/** Stands before a server as a pooler in session mode that is not told to drop anything. */
export const startPooler = async (databaseUrl: string): Promise<Pooler> => {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const { port, close } = await startTcpProxy(() => target, refuse);
  return { url: Object.assign(url, { hostname: '127.0.0.1', port: String(port) }).href, close };
};
