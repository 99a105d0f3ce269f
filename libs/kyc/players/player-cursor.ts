import { schemaMismatch } from '#platform/errors';
import type { PlayerRef } from '../player.ts';

const written = /^(\d{1,15}) ([^\0]+)$/u;

/** The last player of the page before. */
export const cursorText = ({ entityId, gamblerRef }: PlayerRef): string =>
  Buffer.from(`${entityId} ${gamblerRef}`, 'utf8').toString('base64url');

/** Throws the validation error for what no page gave as its `next_cursor`. */
export const readCursor = (text: string): PlayerRef => {
  const [, entityId, gamblerRef] = written.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  if (entityId === undefined || gamblerRef === undefined)
    throw schemaMismatch([{ path: ['cursor'], message: 'is not a next_cursor that this list gave' }]);
  return { entityId: Number(entityId), gamblerRef };
};
