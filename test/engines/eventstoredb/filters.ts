import type { Recorded } from './log/event.ts';

export type Filter = { readonly matches: (event: Recorded) => boolean; readonly checkpointEvery: number };

/** What a filter looks at, in the words it came in. */
export type FilterText = {
  readonly on: 'stream' | 'type';
  readonly regex: string;
  readonly prefixes: readonly string[];
};

type Expression = { getRegex(): string; getPrefixList(): string[] };
type Options = { getStreamIdentifier(): Expression | undefined; getEventType(): Expression | undefined };
type Window = { hasMax(): boolean; getMax(): number; getCheckpointintervalmultiplier(): number };

/** Without a window of its own, a filter looks at 32 events before it tells how far it came. */
const DEFAULT_WINDOW = 32;

export const readFilterText = (options: Options): FilterText => {
  const byStream = options.getStreamIdentifier();
  const expression = byStream ?? options.getEventType();
  const [regex, prefixes] = [expression?.getRegex() ?? '', expression?.getPrefixList() ?? []];
  return { on: byStream ? 'stream' : 'type', regex, prefixes };
};

/** Throws on a regular expression that does not compile. */
export const matcher = ({ on, regex, prefixes }: FilterText) => {
  const compiled = regex === '' ? undefined : new RegExp(regex);
  const matches = (text: string) => compiled?.test(text) ?? prefixes.some((prefix) => text.startsWith(prefix));
  return (event: Recorded) => matches(event[on]);
};

export const readFilter = (options: Options & Window): Filter => ({
  matches: matcher(readFilterText(options)),
  checkpointEvery:
    (options.hasMax() ? options.getMax() : DEFAULT_WINDOW) * Math.max(1, options.getCheckpointintervalmultiplier()),
});
