import type { BusMessage, Delivered } from '../port.ts';

export const message = (key: string, n: number, value = `${key} ${n}`): BusMessage => ({
  id: `${key}/${n}`,
  key,
  value,
});

/** `count` messages of each key, the keys taking turns. */
export const interleaved = (keys: readonly string[], count: number): BusMessage[] =>
  Array.from({ length: count }, (_, n) => keys.map((key) => message(key, n))).flat();

export const keysNamed = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

export const ids = (messages: readonly BusMessage[]): string[] => messages.map(({ id }) => id);

export const distinct = (messages: readonly BusMessage[]): number => new Set(ids(messages)).size;

/** What a consumer that drops repeats is left with, per key. */
export const firstArrivals = (messages: readonly BusMessage[]): Map<string, string[]> => {
  const byKey = new Map<string, Set<string>>();
  for (const { key, id } of messages) byKey.set(key, (byKey.get(key) ?? new Set()).add(id));
  return new Map([...byKey].map(([key, arrived]) => [key, [...arrived]]));
};

/** Has everything arrived, no matter how often? */
export const allOf = (published: readonly BusMessage[]) => {
  return (seen: readonly Delivered[]): boolean =>
    seen.length >= published.length && distinct(seen) === published.length;
};
