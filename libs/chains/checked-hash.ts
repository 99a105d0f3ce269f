import { NodeUnreadable } from './readable.ts';

export const isHash = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:0x)?[0-9a-f]{64}$/i.test(value);

export const shown = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 80);

/** What stands in front of a node may answer with nothing, and with success: that is no word that a block is gone. */
export const checkedHash = (value: unknown, height: number): string => {
  if (isHash(value)) return value;
  throw new NodeUnreadable(`its block ${height} is none that can be: ${shown(value)}`);
};
