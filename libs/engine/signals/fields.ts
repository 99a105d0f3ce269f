import type { Kind, ValueSchema } from './kinds.ts';
import { given, type RawSignal } from './raw-signal.ts';

/** What is told of a field to those who write signals. */
export type ToldField = {
  readonly name: string;
  readonly required: boolean;
  readonly schema: ValueSchema & {
    readonly description: string;
    readonly example: unknown;
    readonly default?: unknown;
  };
};

/** One field of a signal, declared once: what is told of it, and what reads it. */
export type Field<T> = ToldField & { readonly read: (raw: RawSignal) => T };

/** A field for each key of what is read. */
export type Fields<T> = { readonly [Key in keyof T]: Field<T[Key]> };

type Words = { readonly description: string; readonly example: unknown };

export const required = <T>(name: string, kind: Kind<T>, words: Words): Field<T> => ({
  name,
  required: true,
  schema: { ...kind.schema, ...words },
  read: (raw) => kind.read(given(raw, name), name),
});

export const optional = <T, Default>(
  name: string,
  kind: Kind<T>,
  { otherwise, ...words }: Words & { readonly otherwise: Default },
): Field<T | Default> => ({
  name,
  required: false,
  // Nothing is no value to be written down: the field is left out.
  schema: {
    ...kind.schema,
    ...words,
    // In words: of a field with a `default` some generators of clients make one that has to be sent.
    ...(otherwise === null || otherwise === undefined
      ? {}
      : { description: `${words.description}; by default ${JSON.stringify(otherwise)}` }),
  },
  read: (raw) => {
    const value = given(raw, name);
    return value === undefined ? otherwise : kind.read(value, name);
  },
});
