import { type Amount, amount, type DecimalText, one, roundCryptoHalfUp, roundCryptoUp, sum, toText } from '#money';
import type { Amounts, Charge, Fee } from '../floor/amounts.ts';
import { totalPlayerFee, totalSpread } from './fees.ts';

type Price = {
  readonly crypto: Amount;
  readonly usd: Amount;
  readonly player: Amount;
  readonly cryptoRate: Amount;
  readonly marketRate: Amount;
};

/** A spread lies in the rate, a fee on (or in) the player amount. */
const chargeOf = (fee: Fee, { crypto, player, cryptoRate, marketRate }: Price): Charge => {
  const percent = amount(fee.percent);
  if (fee.kind === 'SPREAD')
    return {
      ...fee,
      amountUsd: toText(crypto.times(marketRate).times(percent)),
      amountCrypto: toText(crypto.times(percent)),
    };
  const usd = player.times(percent);
  return { ...fee, amountUsd: toText(usd), amountCrypto: toText(usd.dividedBy(cryptoRate)) };
};

/** player amount + the casino's own player-paid fee + its own spread - what the casino pays. */
const entityNet = (player: Amount, charges: readonly Charge[]): Amount => {
  const usd = (those: readonly Charge[]): Amount => sum(those.map(({ amountUsd }) => amount(amountUsd)));
  const own = charges.filter(({ beneficiary, paidBy }) => beneficiary === 'ENTITY' && paidBy === 'PLAYER');
  return player.plus(usd(own)).minus(usd(charges.filter(({ paidBy }) => paidBy === 'ENTITY')));
};

const amountsOf = (price: Price, fees: readonly Fee[]): Amounts => {
  const charges = fees.filter(({ percent }) => amount(percent).greaterThan(0)).map((fee) => chargeOf(fee, price));
  return {
    cryptoAmount: toText(price.crypto),
    usdAmount: toText(price.usd),
    playerAmount: toText(price.player),
    entityNetUsd: toText(entityNet(price.player, charges)),
    cryptoRate: toText(price.cryptoRate),
    marketRate: toText(price.marketRate),
    charges,
  };
};

const ratesOf = (marketRate: DecimalText, fees: readonly Fee[]) => {
  const market = amount(marketRate);
  return { marketRate: market, cryptoRate: market.times(one.minus(totalSpread(fees))) };
};

/** USD mode: the player is credited what was named, and pays the fees on top. */
export const priceUsd = (player: Amount, marketRate: DecimalText, fees: readonly Fee[]): Amounts => {
  const rates = ratesOf(marketRate, fees);
  const usd = player.times(one.plus(totalPlayerFee(fees)));
  return amountsOf({ ...rates, player, usd, crypto: roundCryptoUp(usd.dividedBy(rates.cryptoRate)) }, fees);
};

/** Crypto mode, and every re-pricing: what the player sends decides the rest. */
export const priceCrypto = (named: Amount, marketRate: DecimalText, fees: readonly Fee[]): Amounts => {
  const rates = ratesOf(marketRate, fees);
  const crypto = roundCryptoHalfUp(named);
  const usd = crypto.times(rates.cryptoRate);
  return amountsOf({ ...rates, crypto, usd, player: usd.dividedBy(one.plus(totalPlayerFee(fees))) }, fees);
};

/** Whether the wire can carry every value: past the range of a double there would be no number to answer. */
export const fitsTheWire = ({ cryptoAmount, usdAmount, playerAmount, entityNetUsd, charges }: Amounts): boolean =>
  [
    cryptoAmount,
    usdAmount,
    playerAmount,
    entityNetUsd,
    ...charges.flatMap((charge) => [charge.amountUsd, charge.amountCrypto]),
  ].every((text) => Number.isFinite(Number(text)));
