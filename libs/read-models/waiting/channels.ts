import { type Position, parsePosition } from '#event-log';

/**
 * NOTIFY takes a lock of the whole cluster at commit, so no owner sends any unasked: an instance where somebody waits
 * says so on `AWAITED`, and for a while the owner tells on `MOVED` where it stands.
 */
export const AWAITED = 'projection_awaited';
export const MOVED = 'projection_moved';

/** How long an owner goes on telling after it was asked. */
export const TELL_FOR_MS = 10_000;

/** How often whoever waits asks again. */
export const ASK_AGAIN_MS = 4_000;

export type Moved = { readonly key: string; readonly position: Position };

export const movedText = ({ key, position }: Moved): string => `${key} ${position}`;

export const parseMoved = (text: string): Moved => {
  const [key = '', position = ''] = text.split(' ');
  return { key, position: parsePosition(position) };
};
