import { registerDecorator, type ValidationArguments } from 'class-validator';
import { secretNames } from './secret.ts';

export type Rule = {
  /** Completes the sentence "PORT must …". */
  readonly must: string;
  readonly holds: (text: string, all: Readonly<Record<string, unknown>>) => boolean;
};

/** Of a secret nothing is shown; what stands before an @ may be a password, whichever the setting. */
const messageOf = ({ must }: Rule, { property, value }: ValidationArguments): string => {
  const text = String(value).replaceAll(/\p{Cc}/gu, '?');
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const hidden = text === '' || secretNames.has(property) || text.includes('@');
  return hidden ? `${property} must ${must}` : `${property} must ${must}, not '${shown}'`;
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

/** What is empty is not set. */
export const OrEmpty = ({ must, holds }: Rule): PropertyDecorator =>
  Must({ must: `be empty or ${must}`, holds: (text, all) => text === '' || holds(text, all) });

export const SetWhere = (other: string): PropertyDecorator =>
  Must({ must: `be set where ${other} is`, holds: (text, all) => text !== '' || !all[other] });

export const OneOf = (...words: readonly string[]): PropertyDecorator =>
  Must({ must: `be one of ${words.join(', ')}`, holds: (text) => words.includes(text) });
