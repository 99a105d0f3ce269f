import { type Amount, amount, fromJsonNumber, one, sum, toText } from '#money';
import { beneficiaries, chargeKinds, type Fee, payers } from '../floor/amounts.ts';
import type { FeeSetting } from '../floor/settings.ts';

const oneOf = <Word extends string>(words: readonly Word[], word: string): Word | undefined =>
  words.find((known) => known === word);

/** As many decimals as a JSON number can have: whatever was quoted is read again when the deposit is priced anew. */
const fraction = /^\d{1,40}(\.\d{1,324})?$/;

const readFraction = (text: string): Amount | undefined => (fraction.test(text) ? amount(text) : undefined);

const percentOf = (percent: string | number): Amount | undefined => {
  const value = typeof percent === 'number' ? fromJsonNumber(percent) : readFraction(percent);
  return value?.greaterThanOrEqualTo(0) && value.lessThan(1) ? value : undefined;
};

const checkedFee = (setting: FeeSetting): Fee | undefined => {
  const beneficiary = oneOf(beneficiaries, setting.beneficiary);
  const kind = oneOf(chargeKinds, setting.kind);
  const paidBy = oneOf(payers, setting.paidBy);
  const percent = percentOf(setting.percent);
  if (!(beneficiary && kind && paidBy && percent)) return undefined;
  return kind === 'SPREAD' && paidBy === 'ENTITY' ? undefined : { beneficiary, kind, paidBy, percent: toText(percent) };
};

export const totalSpread = (fees: readonly Fee[]): Amount =>
  sum(fees.filter(({ kind }) => kind === 'SPREAD').map(({ percent }) => amount(percent)));

export const totalPlayerFee = (fees: readonly Fee[]): Amount =>
  sum(fees.filter(({ kind, paidBy }) => kind === 'FEE' && paidBy === 'PLAYER').map(({ percent }) => amount(percent)));

/** The whole schedule, or undefined when any line is wrong or the spreads eat the price. An empty one is valid. */
export const checkedFees = (settings: readonly FeeSetting[]): readonly Fee[] | undefined => {
  const fees = settings.map(checkedFee).filter((fee) => fee !== undefined);
  return fees.length === settings.length && totalSpread(fees).lessThan(one) ? fees : undefined;
};
