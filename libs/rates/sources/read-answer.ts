import { type DecimalText, parseDecimal, toText } from '#money';

/** A member of what a provider answered, which may be anything. */
export const member = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string | number, unknown>>)[name]
    : undefined;

/** Providers write prices as text in their JSON: it never goes through a double. */
export const readPrice = (told: unknown): DecimalText => {
  const price = parseDecimal(told);
  if (price === undefined || price.isZero()) throw new Error(`no price: ${JSON.stringify(told)?.slice(0, 60)}`);
  return toText(price);
};
