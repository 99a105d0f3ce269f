import { roundsToZero } from '#deposits';
import { schemaMismatch } from '#door/errors';
import { type DecimalText, fromJsonNumber, toText } from '#money';

/** "An amount that rounds to zero is a validation error on `amount`." */
export const checkedAmount = (value: number, amountIsCrypto: boolean): DecimalText => {
  const amount = fromJsonNumber(value);
  const text = amount && toText(amount);
  if (text === undefined || roundsToZero(text, amountIsCrypto))
    throw schemaMismatch([{ path: ['amount'], message: 'must be greater than 0 at 8 decimals' }]);
  return text;
};
