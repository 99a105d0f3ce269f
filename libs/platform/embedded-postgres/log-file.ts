import { closeSync, fchownSync, lstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { isRoots } from './account.ts';
import { codeOf, EmbeddedPostgresError } from './error.ts';
import type { Layout } from './layout.ts';

const keptBytes = 10 * 1024 * 1024;

export type LogFile = { readonly descriptor: number; readonly written: () => string; readonly close: () => void };

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const readFrom = (path: string, start: number): string => {
  const buffer = Buffer.alloc(64 * 1024);
  const descriptor = openSync(path, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, start));
  } finally {
    closeSync(descriptor);
  }
};

const ownUid = (): number | undefined => process.geteuid?.();

/** Root, at a command, makes it for the user whose cluster this is. One that is there is nobody's to give away. */
const made = ({ log, cluster }: Layout): number => {
  const descriptor = openSync(log, 'ax', 0o600);
  const owner = lstatSync(cluster, { throwIfNoEntry: false });
  if (ownUid() === 0 && owner && !isRoots(owner.uid)) fchownSync(descriptor, owner.uid, owner.gid);
  return descriptor;
};

const explained = (log: string, error: unknown): unknown => {
  const owner = statSync(log, { throwIfNoEntry: false })?.uid;
  if (codeOf(error) !== 'EACCES' || owner === undefined || owner === ownUid()) return error;
  return new EmbeddedPostgresError(
    `${log} belongs to another user (uid ${owner}), and this one (uid ${ownUid()}) cannot write it: ` +
      `chown it to the user that the service runs as (chown ${ownUid()} ${log})`,
  );
};

const opened = (layout: Layout): number => {
  try {
    return made(layout);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    return openSync(layout.log, 'a', 0o600);
  } catch (error) {
    throw explained(layout.log, error);
  }
};

/** DATA_DIR/postgres.log, with one older beside it. `written` gives what this start has added. */
export const openLogFile = (layout: Layout): LogFile => {
  if (sizeOf(layout.log) > keptBytes) renameSync(layout.log, `${layout.log}.1`);
  const start = sizeOf(layout.log);
  const descriptor = opened(layout);
  return {
    descriptor,
    written: () => readFrom(layout.log, start),
    close: () => closeSync(descriptor),
  };
};
