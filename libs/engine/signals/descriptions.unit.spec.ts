import { describe, expect, it } from '@jest/globals';
import { signalDescriptions } from './descriptions.ts';
import type { RawSignal } from './raw-signal.ts';
import { readSignal } from './read-signal.ts';

const read = (raw: unknown) => readSignal(raw, '2026-11-21T14:00:01.000Z');

const without = (raw: RawSignal, ...names: readonly string[]): RawSignal =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)));

const targets = ['deposit_id', 'address', 'transaction_id'];

/** Every name that reading asks a signal for, under whichever name its target comes. */
const namesAskedFor = (example: RawSignal): Set<string> => {
  const names = new Set<string>();
  const { address, ...bare } = without(example, 'deposit_id', 'transaction_id');
  const byTarget = [{ deposit_id: 1, address }, { address: 'a' }, { transaction_id: 1 }];
  for (const target of byTarget)
    read(
      new Proxy(
        { ...bare, ...target },
        {
          getOwnPropertyDescriptor: (signal, name) => {
            names.add(String(name));
            return Reflect.getOwnPropertyDescriptor(signal, name);
          },
        },
      ),
    );
  return names;
};

describe.each(signalDescriptions)('what is told of $type', ({ type, schema, example }) => {
  it('has an example of every field, which is read', () => {
    expect(read(example)).toMatchObject({ kind: 'readable', signal: { type } });
    expect(new Set([...Object.keys(example), ...targets])).toEqual(new Set(Object.keys(schema.properties)));
  });

  it('is every field that is read, and no other', () => {
    expect(namesAskedFor(example)).toEqual(new Set(Object.keys(schema.properties)));
  });

  it.each([...schema.required])('needs %s', (name) => {
    expect(read(without(example, name))).toMatchObject(
      name === 'signal_id' ? { kind: 'unnamed' } : { kind: 'malformed', reason: `${name} is missing` },
    );
  });

  it('needs one of what names its target', () => {
    expect(schema.anyOf).toEqual(targets.map((name) => ({ required: [name] })));
    expect(read(without(example, ...targets))).toMatchObject({ kind: 'malformed' });
  });

  it('goes without the rest, and then means what is told', () => {
    const rest = Object.keys(schema.properties).filter((name) => !schema.required.includes(name));
    const told = rest.flatMap((name) => {
      const [, value] = /; by default (.+)$/.exec(String(schema.properties[name]?.description)) ?? [];
      return value === undefined ? [] : [[name, JSON.parse(value)] as const];
    });
    const short = without(example, ...rest.filter((name) => name !== 'deposit_id'));
    expect(read(short)).toMatchObject({ kind: 'readable' });
    expect(read({ ...short, ...Object.fromEntries(told) })).toEqual(read(short));
  });
});
