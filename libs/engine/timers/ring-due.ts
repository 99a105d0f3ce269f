import type pg from 'pg';
import type { SignalResult } from '#deposit-commands';
import { type EngineSignal, isAfter } from '#deposits';
import type { EventLog } from '#event-log';
import { inParallel } from '#platform/in-parallel';
import type { Logger } from '#platform/logging';
import { type Repeated, repeat } from '#platform/repeat';
import { claimDueTimers, type Due, forgetOldClaims, holdClaim, type TimerTables } from './claims.ts';
import type { Deadline } from './deadlines.ts';

export type TimerParts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'read'>;
  readonly logger: Logger;
  /** Default: the database's clock. */
  readonly now?: () => Date;
  /** Default 500 ms: how late a timer may ring. */
  readonly everyMs?: number;
};

export type Waiting = Deadline & { readonly changes: (signal: EngineSignal) => boolean };

export type Timers<Key extends object> = {
  readonly tables: TimerTables<Key>;
  readonly typeOf: (due: Due<Key>) => 'quote.expired' | 'ofac.deadline_missed';
  /** Which waiting it ends: whoever rings the same timer again says the same, and the history knows it. */
  readonly idOf: (due: Due<Key>) => string;
  /** The rows may be behind the log, and may not know: the history itself says until when it waits, and for what. */
  readonly waitsFor: (due: Due<Key>) => Promise<Waiting | undefined>;
  readonly apply: (due: Due<Key>, signals: readonly EngineSignal[]) => Promise<readonly SignalResult[]>;
};

const BATCH = 100;
const AT_ONCE = 8;
const TIDY_EVERY_MS = 60_000;

/** Tells that time is up. Timers are rows, so a restart forgets none; instances share them out. */
export const ringDue = <Key extends object>(parts: TimerParts, timers: Timers<Key>): Repeated => {
  const { pool, logger, now, everyMs = 500 } = parts;
  const { tables, typeOf, idOf, waitsFor, apply } = timers;
  let tidyAfter = 0;

  const ring = async (due: Due<Key>): Promise<void> => {
    const tell = (error?: unknown): void =>
      logger.warn({ err: error, timer: idOf(due) }, 'a timer could not be rung yet');
    try {
      const waiting = await waitsFor(due);
      if (!waiting) return;
      const { at, until, changes } = waiting;
      const signal = { type: typeOf(due), signalId: `timer-${idOf(due)}`, at, now: due.foundAt.toISOString() };
      if (!changes(signal)) return;
      if (isAfter(until, signal.now)) return await holdClaim(pool, tables, due, until);
      const [result] = await apply(due, [signal]);
      if (result?.outcome === 'busy') tell();
    } catch (error) {
      tell(error);
    }
  };

  const tidy = async (): Promise<void> => {
    if (performance.now() < tidyAfter) return;
    tidyAfter = performance.now() + TIDY_EVERY_MS;
    await forgetOldClaims(pool, tables);
  };

  return repeat({
    pollMs: everyMs,
    onError: (error) => logger.warn({ err: error, table: tables.timers }, 'timers cannot be rung now'),
    work: async () => {
      await tidy();
      const due = await claimDueTimers(pool, { tables, now: now?.(), limit: BATCH });
      await inParallel(due, AT_ONCE, ring);
      return due.length === BATCH;
    },
  });
};
