import { ValidateBy } from 'class-validator';
import { parseDecimal } from '#money';

/** Text, because a JSON number goes through a double. */
export const IsPositiveDecimal = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPositiveDecimal',
    validator: {
      validate: (value: unknown) => parseDecimal(value)?.greaterThan('0') ?? false,
      defaultMessage: () => 'must be null or a decimal string above zero, such as "60000.50"',
    },
  });
