import { isEmail, registerDecorator, ValidateIf } from 'class-validator';

type Rule = { readonly name: string; readonly message: string; readonly holds: (value: unknown) => boolean };

/** A rule of one field; its message is all that a caller sees of it. */
export const rule =
  ({ name, message, holds }: Rule): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options: { message },
      validator: { validate: holds },
    });

/** May be left out; null is not leaving out. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** May be left out or null. */
export const OptionalOrNull = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined && value !== null);

/** In characters, as people and OpenAPI count them; what is too long however it is counted is not counted. */
const hasLength = (text: string, min: number, max: number): boolean => {
  if (text.length > 2 * max) return false;
  const characters = Array.from(text).length;
  return characters >= min && characters <= max;
};

/** Text that a database keeps as it came: NUL and halves of surrogate pairs would be refused or changed there. */
export const IsText = ({ min = 0, max = Number.POSITIVE_INFINITY } = {}): PropertyDecorator =>
  rule({
    name: 'isText',
    message: `must be a string of ${min} to ${max === Number.POSITIVE_INFINITY ? 'any number of' : max} characters without NUL`,
    holds: (value) =>
      typeof value === 'string' && value.isWellFormed() && !value.includes('\0') && hasLength(value, min, max),
  });

/** The library's own check throws at half a surrogate pair, and lets a quoted name have line breaks. */
export const IsMailAddress = (): PropertyDecorator =>
  rule({
    name: 'isMailAddress',
    message: 'must be an email',
    holds: (value) => typeof value === 'string' && value.isWellFormed() && !/[\r\n]/.test(value) && isEmail(value),
  });
