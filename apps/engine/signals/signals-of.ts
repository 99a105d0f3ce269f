import { schemaMismatch } from '#door/errors';
import { noteKept } from '#door/http';
import { MOST_SIGNALS, signalDescriptions } from '#engine';

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

const fieldsOf = new Map<unknown, ReadonlySet<string>>(
  signalDescriptions.map(({ type, schema }) => [type, new Set(Object.keys(schema.properties))]),
);

/** What is read of a signal; of one that nobody knows, nothing is said but that. */
const keptOf = (signal: unknown): unknown => {
  const fields = kindOf(signal) === 'object' ? fieldsOf.get(Reflect.get(Object(signal), 'type')) : undefined;
  return fields ? Object.fromEntries(Object.entries(Object(signal)).filter(([name]) => fields.has(name))) : signal;
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
  noteKept(body, { signals: signals.map(keptOf) });
  return signals;
};
