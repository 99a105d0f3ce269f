const split = (text: string): { digits: bigint; scale: number } => {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
};

const written = (digits: bigint, scale: number): string => {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return sign + (scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`);
};

/** Exact, with the longer of both fractions, as numeric does. */
export const addDecimals = (one: string, other: string): string => {
  const a = split(one);
  const b = split(other);
  const scale = Math.max(a.scale, b.scale);
  const digits = a.digits * 10n ** BigInt(scale - a.scale) + b.digits * 10n ** BigInt(scale - b.scale);
  return written(digits, scale);
};
