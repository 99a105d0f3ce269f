import assert from 'node:assert/strict';
import type { EventFilter, RecordedEvent } from '#event-log';
import type { Projection } from '../projection.ts';
import { type GivenEvent, recordedEvents } from './recorded-events.ts';
import { type Tables, tablesAfter } from './tables-after.ts';

const passes = (filter: EventFilter | undefined, { stream, type }: RecordedEvent): boolean => {
  if (!filter) return true;
  return 'types' in filter
    ? filter.types.includes(type)
    : filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
};

/**
 * `given(deposits, opened, confirmed).thenRows({ deposits: [{ id: 'd-1', status: 'confirmed' }] })`: a history, and the
 * rows that it leaves, with no database. Every table that has rows has to be named.
 */
export const given = (projection: Projection, ...events: readonly GivenEvent[]) => {
  const tables = (): Tables =>
    tablesAfter(
      recordedEvents(events)
        .filter((event) => passes(projection.filter, event))
        .flatMap((event) => projection.project(event)),
    );
  return {
    thenRows: (expected: Tables): void => assert.deepEqual(tables(), expected),
    /** The projection cannot take it: the runner would stop here. */
    thenRefused: (reason: RegExp): void => {
      assert.throws(tables, reason);
    },
  };
};
