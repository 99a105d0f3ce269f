import { type Amount, amount, sum } from '#money';
import type { Amounts, Charge } from '../floor/amounts.ts';
import { totalPlayerFee } from './fees.ts';

export type Aliases = {
  readonly affiliateNetUsd: Amount;
  readonly fee: Amount;
  readonly feeUsd: Amount;
  readonly bfFeeUsd: Amount;
  readonly bfSpreadUsd: Amount;
  readonly affiliateFeeUsd: Amount;
};

/** The deprecated partial views of the charges; what is absent gives 0. */
export const aliasesOf = ({ entityNetUsd, charges }: Amounts): Aliases => {
  const usd = (picks: (charge: Charge) => boolean): Amount =>
    sum(charges.filter(picks).map(({ amountUsd }) => amount(amountUsd)));
  return {
    affiliateNetUsd: amount(entityNetUsd),
    fee: totalPlayerFee(charges),
    feeUsd: usd(({ kind, paidBy }) => kind === 'FEE' && paidBy === 'PLAYER'),
    bfFeeUsd: usd(({ beneficiary, kind }) => beneficiary === 'BF' && kind === 'FEE'),
    bfSpreadUsd: usd(({ beneficiary, kind }) => beneficiary === 'BF' && kind === 'SPREAD'),
    affiliateFeeUsd: usd(({ beneficiary }) => beneficiary === 'AFFILIATE'),
  };
};
