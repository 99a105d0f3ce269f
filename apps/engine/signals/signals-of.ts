import { schemaMismatch } from '#door/errors';
import { MOST_SIGNALS } from '#engine';

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

export const tooManySignals = () =>
  schemaMismatch([{ path: ['signals'], message: `must hold no more than ${MOST_SIGNALS} signals` }]);

/**
 * The list of a call. What is in it is read one by one, so that a bad signal spoils no other; class-transformer would
 * copy every signal first.
 */
export const signalsOf = (body: unknown): readonly unknown[] => {
  if (body === undefined) throw schemaMismatch([{ path: ['signals'], message: 'Required' }]);
  if (kindOf(body) !== 'object')
    throw schemaMismatch([{ path: [], message: `Expected object, received ${kindOf(body)}` }]);
  const signals: unknown = Reflect.get(Object(body), 'signals');
  if (signals === undefined) throw schemaMismatch([{ path: ['signals'], message: 'Required' }]);
  if (!Array.isArray(signals))
    throw schemaMismatch([{ path: ['signals'], message: `Expected array, received ${kindOf(signals)}` }]);
  if (signals.length > MOST_SIGNALS) throw tooManySignals();
  return signals;
};
