import type { SignalType } from '#deposits';
import { declarations } from './declarations.ts';
import type { Fact } from './fact.ts';
import type { Field } from './fields.ts';
import { code } from './kinds.ts';
import { given, Malformed, type RawSignal } from './raw-signal.ts';

const isSignalType = (word: string): word is SignalType => Object.hasOwn(declarations, word);

export const readType = (raw: RawSignal): SignalType => {
  const word = code.read(given(raw, 'type'), 'type');
  if (!isSignalType(word)) throw new Malformed(`type ${word} is not known`);
  return word;
};

/** Each key gets what its own field reads: the table has that checked, entries lose it. */
export const readFact = <Type extends SignalType>(raw: RawSignal, type: Type): Fact<Type> => {
  const fields = Object.entries<Field<unknown>>(declarations[type].fields);
  return Object.fromEntries([
    ['type', type],
    ...fields.map(([key, { read }]) => [key, read(raw)] as const),
  ]) as Fact<Type>;
};
