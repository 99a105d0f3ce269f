import { registerDecorator, type ValidationArguments } from 'class-validator';

type Rule = {
  /** Completes the sentence "PORT must …". */
  readonly must: string;
  readonly holds: (text: string, all: Readonly<Record<string, unknown>>) => boolean;
  /** The value stays out of the message: it may carry a password or a key. */
  readonly secret?: boolean;
};

/** What stands before an @ may be a password, whichever the setting. */
const messageOf = (rule: Rule, { property, value }: ValidationArguments): string => {
  const text = String(value).replaceAll(/\p{Cc}/gu, '?');
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const mayBeSecret = rule.secret || text.includes('@');
  return mayBeSecret ? `${property} must ${rule.must}` : `${property} must ${rule.must}, not '${shown}'`;
};

/** A rule on one setting, as a class-validator decorator whose message is one line that says what would be right. */
export const Must =
  (rule: Rule): PropertyDecorator =>
  (target, property) =>
    registerDecorator({
      name: rule.must,
      target: target.constructor,
      propertyName: String(property),
      options: { message: (details) => messageOf(rule, details) },
      validator: {
        validate: (value, details) =>
          typeof value === 'string' && rule.holds(value, (details?.object ?? {}) as Record<string, unknown>),
      },
    });

export const OneOf = (...words: readonly string[]): PropertyDecorator =>
  Must({ must: `be one of ${words.join(', ')}`, holds: (text) => words.includes(text) });
