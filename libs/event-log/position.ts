declare const brand: unique symbol;

/**
 * A place in the order over all streams. Only its order has a meaning outside its store: two positions of one log
 * compare as plain strings (both halves have a fixed width), so a checkpoint can be kept and compared anywhere, in
 * SQL too (collation "C").
 */
export type Position = string & { readonly [brand]: 'Position' };

const WIDTH = 20;

/** Of numbers, or of their digits. */
export const positionOf = (major: bigint | string, minor: bigint | string): Position =>
  `${String(major).padStart(WIDTH, '0')}.${String(minor).padStart(WIDTH, '0')}` as Position;

export const partsOf = (position: Position): { major: bigint; minor: bigint } => {
  const [major, minor] = position.split('.');
  if (major === undefined || minor === undefined) throw new TypeError(`not a position of the event log: ${position}`);
  return { major: BigInt(major), minor: BigInt(minor) };
};

/** A position that came back from a column, a file or a person. */
export const parsePosition = (text: string): Position => {
  if (!/^\d{20}\.\d{20}$/.test(text)) throw new TypeError(`not a position of the event log: ${text}`);
  return text as Position;
};

export const isBefore = (one: Position | undefined, other: Position | undefined): boolean =>
  other !== undefined && (one === undefined || one < other);
