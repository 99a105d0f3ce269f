import type { Ticker } from '#money';

/** How many digits the smallest unit stands behind the point. */
export const decimalsOf = (coin: Ticker): number => (coin === 'ETH' ? 18 : 8);

/** Exactly, without a float in between: `150000000` satoshi are `1.5`. */
export const coinText = (coin: Ticker, units: bigint): string => {
  const decimals = decimalsOf(coin);
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${digits.slice(0, -decimals)}${fraction && `.${fraction}`}`;
};

/** The other way; undefined for a text that is no amount of the coin. */
export const unitsOf = (coin: Ticker, text: string): bigint | undefined => {
  const [, whole = '0', fraction = ''] = /^(\d{1,30})(?:\.(\d+))?$/.exec(text) ?? [];
  if (!/^\d/.test(text) || !/^\d+(?:\.\d+)?$/.test(text) || fraction.length > decimalsOf(coin)) return undefined;
  return BigInt(whole + fraction.padEnd(decimalsOf(coin), '0'));
};
