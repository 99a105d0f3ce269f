import type { FeeSetting } from '#deposits';

const field = (line: unknown, name: string): unknown =>
  typeof line === 'object' && line !== null ? Reflect.get(line, name) : undefined;

const word = (value: unknown): string => (typeof value === 'string' ? value : '');

const percent = (value: unknown): string | number =>
  typeof value === 'string' || typeof value === 'number' ? value : '';

/** A line as it was sent, whatever it was: what is missing or of another type is a word that nobody knows. */
export const feeSettingOf = (line: unknown): FeeSetting => ({
  beneficiary: word(field(line, 'beneficiary')),
  kind: word(field(line, 'kind')),
  paidBy: word(field(line, 'paid_by')),
  percent: percent(field(line, 'percent')),
});
