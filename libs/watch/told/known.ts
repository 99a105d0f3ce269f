import type { Payment, PaymentState } from '../rows/payments.ts';
import { epochOf } from './epochs.ts';
import type { Fact } from './in-log.ts';

/** What a row of the same story says at least, where it knows that this was told. */
const SAYS: Readonly<Record<Fact['kind'], readonly PaymentState[]>> = {
  seen: ['waiting', 'mined', 'confirmed', 'dropped', 'replaced'],
  confirmed: ['confirmed'],
  // A new story began with that.
  reorged: [],
  dropped: ['dropped', 'replaced'],
  double_spent: ['replaced'],
};

export const isAsFar = ({ epoch, state }: Pick<Payment, 'epoch' | 'state'>, fact: Fact, told: number): boolean =>
  told < epoch || (told === epoch && SAYS[fact.kind].includes(state));

/** By the row alone: what it has told by no such id is looked at more closely. */
export const isKnown = (row: Payment | undefined, fact: Fact): boolean => {
  const told = row && epochOf(row, fact, row.epoch);
  return row !== undefined && told !== undefined && isAsFar(row, fact, told);
};
