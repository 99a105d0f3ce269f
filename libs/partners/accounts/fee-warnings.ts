import { beneficiaries, chargeKinds, checkedFees, type FeeSetting, payers } from '#deposits';
import { amount, one, sum } from '#money';
import { feeSettingOf } from '../casinos/fee-settings.ts';

const unknownWord = (name: string, word: string, known: readonly string[]): string[] =>
  known.includes(word) ? [] : [`${name} must be one of ${known.join(', ')}`];

const wrongSpread = ({ kind, paidBy }: FeeSetting): string[] =>
  kind === 'SPREAD' && paidBy === 'ENTITY' ? ['a SPREAD is always paid by the PLAYER'] : [];

/** The same line with everything right but its percent. */
const onlyItsPercent = ({ percent }: FeeSetting): FeeSetting => ({
  beneficiary: 'BF',
  kind: 'FEE',
  paidBy: 'PLAYER',
  percent,
});

const wrongPercent = (setting: FeeSetting): string[] =>
  checkedFees([onlyItsPercent(setting)]) ? [] : ['percent must be a fraction of at least 0 and below 1'];

const wrongLine = (setting: FeeSetting, index: number): string[] =>
  [
    ...unknownWord('beneficiary', setting.beneficiary, beneficiaries),
    ...unknownWord('kind', setting.kind, chargeKinds),
    ...unknownWord('paid_by', setting.paidBy, payers),
    ...wrongSpread(setting),
    ...wrongPercent(setting),
  ].map((wrong) => `fees[${index}]: ${wrong}`);

/** Valid, and hardly meant: the casino would owe for each deposit. */
const costWarning = (settings: NonNullable<ReturnType<typeof checkedFees>>): string[] => {
  const ofCasino = settings.filter(({ kind, paidBy }) => kind === 'FEE' && paidBy === 'ENTITY');
  const whole = sum(ofCasino.map(({ percent }) => amount(percent)));
  return whole.lessThan(one) ? [] : ['fees: the casino pays as much as its players are credited, or more'];
};

/** Why deposits of this casino will be refused, one sentence for each fault; none when its fees are valid. */
export const feeWarnings = (fees: readonly unknown[] | null): string[] => {
  if (fees === null) return ['fees are not configured: until they are, [] for none, the deposit call answers 500'];
  const settings = fees.map(feeSettingOf);
  const checked = checkedFees(settings);
  if (checked) return costWarning(checked);
  const lines = settings.flatMap(wrongLine);
  return lines.length > 0 ? lines : ['fees: the percents of the spreads sum to 1 or more'];
};
