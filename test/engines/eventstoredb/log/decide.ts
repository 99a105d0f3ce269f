import type { Expected } from './event.ts';
import { metastreamOf } from './event.ts';
import type { Log } from './log.ts';
import { isSoftDeleted } from './metadata.ts';
import { lastRevision } from './stream.ts';

export type Decision =
  | { readonly kind: 'write'; readonly revives: boolean }
  | { readonly kind: 'repeat'; readonly first: number; readonly last: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'deleted' };

const CONFLICT: Decision = { kind: 'conflict' };

/** ANY and STREAM_EXISTS name no revision: a repeat is known only as long as its ids are remembered. */
const decideFromMemory = (log: Log, name: string, ids: readonly string[], revives: boolean): Decision => {
  const revisions: number[] = [];
  for (const id of ids) {
    const known = log.recentIds.find(id);
    if (known?.stream !== name) return revisions.length === 0 ? { kind: 'write', revives } : CONFLICT;
    revisions.push(known.revision);
  }
  const [first] = revisions;
  return first === undefined ? { kind: 'write', revives } : { kind: 'repeat', first, last: revisions.at(-1) ?? first };
};

/** With an explicit revision the log itself tells: the same ids, one by one, from the next revision on. */
const decideFromLog = (log: Log, name: string, after: number, ids: readonly string[], revives: boolean): Decision => {
  const events = log.stream(name)?.events ?? [];
  const known = ids.findIndex((id, i) => events[after + 1 + i]?.id !== id);
  if (known > 0 || ids.length === 0) return CONFLICT;
  if (known < 0) return { kind: 'repeat', first: after + 1, last: after + ids.length };
  return after === -1 && revives ? { kind: 'write', revives } : CONFLICT;
};

const decideByRevision = (
  log: Log,
  name: string,
  expected: 'no_stream' | bigint,
  ids: readonly string[],
  revives: boolean,
): Decision => {
  const after = expected === 'no_stream' ? -1 : Number(expected);
  const current = lastRevision(log.stream(name));
  if (after > current) return CONFLICT;
  return after === current ? { kind: 'write', revives } : decideFromLog(log, name, after, ids, revives);
};

/** The whole of what the server checks before a write. Data is not compared, only ids and revisions. */
export const decide = (log: Log, name: string, expected: Expected, ids: readonly string[]): Decision => {
  const stream = log.stream(name);
  if (log.isTombstoned(name)) return { kind: 'deleted' };
  const softDeleted = stream !== undefined && isSoftDeleted(stream.metadata);
  if (expected === 'stream_exists') {
    if (softDeleted) return { kind: 'deleted' };
    const exists = lastRevision(stream) >= 0 || lastRevision(log.stream(metastreamOf(name))) >= 0;
    if (!exists) return CONFLICT;
  }
  return expected === 'any' || expected === 'stream_exists'
    ? decideFromMemory(log, name, ids, softDeleted)
    : decideByRevision(log, name, expected, ids, softDeleted);
};
