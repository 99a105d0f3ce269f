import type { Commit, Proposed } from './event.ts';

type Line = {
  readonly s: string;
  readonly r: number;
  readonly p: number;
  readonly t: number;
  readonly e: readonly (readonly [id: string, type: string, json: 0 | 1, data: string, metadata: string])[];
};

const base64 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

const encodeEvent = ({ id, type, json, data, metadata }: Proposed): Line['e'][number] => [
  id,
  type,
  json ? 1 : 0,
  base64(data),
  base64(metadata),
];

/** One line is one append: a group is there as a whole or not at all. */
export const encodeLine = ({ stream, revision, position, created, events }: Commit) => {
  const line: Line = { s: stream, r: revision, p: position, t: created, e: events.map(encodeEvent) };
  return `${JSON.stringify(line)}\n`;
};

export const decodeLine = (text: string): Commit => {
  const { s, r, p, t, e }: Line = JSON.parse(text);
  const events = e.map(([id, type, json, data, metadata]) => ({
    id,
    type,
    json: json === 1,
    data: Buffer.from(data, 'base64'),
    metadata: Buffer.from(metadata, 'base64'),
  }));
  return { stream: s, revision: r, position: p, created: t, events };
};
