import type { PlayerRef } from '../player.ts';

const written = /^(\d{1,15}) ([^\0]+)$/u;

/** The last player of the page before. */
export const cursorText = ({ entityId, gamblerRef }: PlayerRef): string =>
  Buffer.from(`${entityId} ${gamblerRef}`, 'utf8').toString('base64url');

/** Undefined for what no page gave as its `next_cursor`. */
export const readPlayerCursor = (text: string): PlayerRef | undefined => {
  const [, entityId, gamblerRef] = written.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  if (entityId === undefined || gamblerRef === undefined) return undefined;
  return { entityId: Number(entityId), gamblerRef };
};
