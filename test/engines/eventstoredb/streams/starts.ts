import type { Log } from '../log/log.ts';
import type { streams } from '../wire/definitions.ts';
import { invalid, type Refusal, streamDeleted } from '../wire/refusals.ts';

/** Where a read or a subscription begins. */
export type From = 'start' | 'end' | number;

/** A number stays what it is. */
export const resolveFrom = (from: From, start: number, end: number) => {
  if (from === 'start') return start;
  return from === 'end' ? end : from;
};

const END = 2n ** 64n - 1n;

type StreamStart = { hasRevision(): boolean; getRevision(): string; hasEnd(): boolean };

export const revisionFrom = (options: StreamStart): From => {
  if (!options.hasRevision()) return options.hasEnd() ? 'end' : 'start';
  const revision = BigInt(options.getRevision());
  return revision === END ? 'end' : Number(revision);
};

type AllStart = {
  getPosition(): { getCommitPosition(): string; getPreparePosition(): string } | undefined;
  hasEnd(): boolean;
};

/** A position lies where a record begins, or past the end. */
export const positionFrom = (log: Log, options: AllStart): From | Refusal => {
  const position = options.getPosition();
  if (!position) return options.hasEnd() ? 'end' : 'start';
  const commit = BigInt(position.getCommitPosition());
  const prepare = BigInt(position.getPreparePosition());
  if (commit === END && prepare === END) return 'end';
  const known = log.isPosition(Number(commit)) && log.isPosition(Number(prepare)) && prepare <= commit;
  return known ? Number(commit) : invalid(`There is no record at ${commit}/${prepare}.`);
};

/** What refuses any read of a stream, before one looks whether it exists. */
export const refuseStream = (log: Log, name: string): Refusal | undefined => {
  if (name === '') return invalid('A stream has a name.');
  return log.isTombstoned(name) ? streamDeleted(name) : undefined;
};

export type ReadOptions = streams.ReadReq.Options;
