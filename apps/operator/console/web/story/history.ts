import { useMemo } from 'preact/hooks';
import { depositEventVersions } from '#deposits';
import type { DamageBody, EventBody, EventsBody } from '../../../history/event-body.ts';
import { type Loaded, useLoad } from '../parts/load.ts';
import { LONG_PATIENCE_MS } from '../parts/patience.ts';
import { type Step, stepsOf } from './fold.ts';

/** As many as are laid out at once: of most histories all. */
export const NEWEST = 200;

export type History = {
  readonly loaded: Loaded<EventsBody>;
  /** Why those before the newest are not here. */
  readonly problem: string | undefined;
  /** In the shape in which they were written and hashed: the newest, and the others as soon as they are here. */
  readonly written: readonly EventBody[];
  /** Of the first of them; 0: they are all here. */
  readonly first: number;
  /** From the first event to the last that can be taken, in the newest shape; undefined before all of them are here. */
  readonly steps: readonly Step[] | undefined;
  /** Where it is not what was shown of it, which no chain tells. */
  readonly damage: DamageBody | undefined;
  /** How many of them are here, in that shape. */
  readonly count: number;
};

const versions: Readonly<Record<string, number>> = depositEventVersions;

/** What is written in the newest shape means now what it said then. */
const isOfNow = ({ type, schema_version }: EventBody): boolean => versions[type] === schema_version;

const grows = (path: string, query: string) => ({
  of: ({ events }: EventsBody) => `${path}?cursor=${(events.at(-1)?.revision ?? -1) + 1}&${query}`,
  put: (known: EventsBody, rest: EventsBody) =>
    rest.events.length === 0 && !rest.damage ? known : { ...rest, events: [...known.events, ...rest.events] },
});

/** A history only grows: its newest events are here at once, those before them while somebody looks, and then what comes. */
export const useHistory = (id: string): History => {
  const path = `/operator/deposits/${id}/events`;
  const loaded = useLoad<EventsBody>(`${path}?newest=${NEWEST}&raw=true`, {
    live: true,
    rest: grows(path, 'raw=true'),
  });
  const newest = loaded.data?.events;
  const before = newest?.[0]?.revision ?? 0;
  const older = useLoad<EventsBody>(before > 0 ? `${path}?limit=${before}&raw=true` : undefined, {
    within: LONG_PATIENCE_MS,
  });
  const written = useMemo(
    () => [...(older.data?.events ?? []).filter(({ revision }) => revision < before), ...(newest ?? [])],
    [older.data, newest],
  );
  const first = older.data ? 0 : before;
  const isWhole = newest !== undefined && first === 0;
  const isOld = useMemo(() => isWhole && !written.every(isOfNow), [written, isWhole]);
  const shown = useLoad<EventsBody>(isOld ? `${path}?raw=false` : undefined, {
    live: true,
    rest: grows(path, 'raw=false'),
    within: LONG_PATIENCE_MS,
  });
  const events = isOld ? shown.data?.events : written;
  const steps = useMemo(() => (isWhole && events ? stepsOf(events) : undefined), [events, isWhole]);
  const [problem, damage] = [older.problem ?? shown.problem, loaded.data?.damage ?? older.data?.damage];
  return { loaded, problem, written, first, steps, damage, count: events?.length ?? 0 };
};
