import { type DecimalText, parseDecimal, toText } from '#money';

/** Providers write prices as text in their JSON: it never goes through a double. */
export const readPrice = (told: unknown): DecimalText => {
  const price = parseDecimal(told);
  if (price === undefined || price.isZero()) throw new Error(`no price: ${JSON.stringify(told)?.slice(0, 60)}`);
  return toText(price);
};
