import type { EngineSignal, Instant, SignalType } from '#deposits';
import { declarations } from './declarations.ts';
import { at, MAX_ID } from './envelope.ts';
import type { Fact } from './fact.ts';
import type { Field } from './fields.ts';
import { code } from './kinds.ts';
import { beginningOf, given, isKeepable, Malformed, type RawSignal } from './raw-signal.ts';
import { readTarget, type Target } from './target.ts';

const isSignalType = (word: string): word is SignalType => Object.hasOwn(declarations, word);

const readType = (raw: RawSignal): SignalType => {
  const word = code.read(given(raw, 'type'), 'type');
  if (!isSignalType(word)) throw new Malformed(`type ${word} is not known`);
  return word;
};

/** Each key gets what its own field reads: the table has that checked, entries lose it. */
const readFact = <Type extends SignalType>(raw: RawSignal, type: Type): Fact<Type> => {
  const fields = Object.entries<Field<unknown>>(declarations[type].fields);
  return Object.fromEntries([
    ['type', type],
    ...fields.map(([key, { read }]) => [key, read(raw)] as const),
  ]) as Fact<Type>;
};

/** What can be made of one signal as it was sent. */
export type ReadSignal =
  /** Without an id that can be kept nothing can be remembered of it. */
  | { readonly kind: 'unnamed'; readonly echo: string | null; readonly reason: string }
  | (Shown & { readonly kind: 'malformed'; readonly signalId: string; readonly reason: string })
  | { readonly kind: 'readable'; readonly signalId: string; readonly target: Target; readonly signal: EngineSignal };

const isObject = (value: unknown): value is RawSignal =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const echoOf = (value: unknown): string | null => (typeof value === 'string' ? beginningOf(value, MAX_ID) : null);

const unnamed = (raw: unknown): ReadSignal =>
  isObject(raw)
    ? {
        kind: 'unnamed',
        echo: echoOf(given(raw, 'signal_id')),
        reason: `signal_id has to be text of 1 to ${MAX_ID} characters without NUL`,
      }
    : { kind: 'unnamed', echo: null, reason: 'a signal has to be a JSON object' };

const idIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

/** As far as they could be read, for whoever looks into it. */
export type Shown = {
  readonly type: string | null;
  readonly depositId: number | null;
  readonly transactionId: number | null;
};

export const shownOf = (raw: unknown): Shown => {
  if (!isObject(raw)) return { type: null, depositId: null, transactionId: null };
  const type = given(raw, 'type');
  return {
    type: isKeepable(type, MAX_ID) ? type : null,
    depositId: idIn(given(raw, 'deposit_id')),
    transactionId: idIn(given(raw, 'transaction_id')),
  };
};

/** Reads one signal, from HTTP or from the bus. Whatever it is, the answer is one of three, never a throw. */
export const readSignal = (raw: unknown, now: Instant): ReadSignal => {
  const signalId = isObject(raw) ? given(raw, 'signal_id') : undefined;
  if (!isObject(raw) || !isKeepable(signalId, MAX_ID)) return unnamed(raw);
  try {
    const type = readType(raw);
    const target = readTarget(raw);
    const time = at.read(raw);
    return { kind: 'readable', signalId, target, signal: { ...readFact(raw, type), signalId, at: time, now } };
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'malformed', signalId, ...shownOf(raw), reason: error.message };
    throw error;
  }
};
