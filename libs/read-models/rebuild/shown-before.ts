import type pg from 'pg';
import { BrokenHistory, type EventLog } from '#event-log';
import { inParallel } from '#platform/in-parallel';
import { brokenReason } from '../damage/broken-reason.ts';
import { NOT_ACCEPTED } from '../damage/lost-ends.ts';
import type { Projection } from '../projection.ts';
import type { Target } from '../runner/apply-batch.ts';
import { besideOf, quoted } from './table-names.ts';

type Parts = { readonly target: Target; readonly log: Pick<EventLog, 'read'>; readonly projection: Projection };

/** An event that readers have seen, and since when it is known to be gone. */
type Place = { readonly revision: number; readonly hash: string | null; readonly found_at?: string };

/** What was shown of a stream that the new row does not show, or shows only on its way to more. */
type Shown = {
  readonly stream: string;
  /** The first that is in no new row. */
  readonly next: number;
  readonly row: Place | null;
  /** What an earlier rebuild kept, unless it was accepted to be gone. */
  readonly kept: Place | null;
};

const IS_OTHER = (place: string): string =>
  `(${place}.revision > coalesce(fresh.revision, -1) OR ${place}.hash <> fresh.hash)`;

const shownOtherwise = async (client: pg.Client, name: string, prefix: string, table: string) => {
  const { rows } = await client.query<Shown>(
    `SELECT $2 || id AS stream, coalesce(fresh.revision + 1, 0)::float8 AS next,
       CASE WHEN live.revision IS NOT NULL THEN json_build_object('revision', live.revision, 'hash', live.hash) END AS row,
       CASE WHEN kept.revision IS NOT NULL THEN to_json(kept) END AS kept
     FROM ${quoted(table)} AS live
     FULL JOIN (
       SELECT substr(stream, length($2) + 1)::bigint AS id, shown_revision AS revision, shown_hash AS hash, found_at
       FROM projection_damage WHERE name = $1 AND NOT rebuild AND ${NOT_ACCEPTED}) AS kept USING (id)
     LEFT JOIN ${quoted(besideOf(table))} AS fresh USING (id)
     WHERE ${IS_OTHER('live')} OR ${IS_OTHER('kept')}`,
    [name, prefix],
  );
  return rows;
};

type Lack = Place & { readonly is: 'gone' | 'replaced' };

/** Undefined: the stream has this event. */
const lackOf = async (log: Parts['log'], stream: string, place: Place): Promise<Lack | undefined> => {
  const { revision, hash } = place;
  try {
    const [event] = await Array.fromAsync(log.read(stream, { from: revision, limit: 1, asStored: true }));
    if (event === undefined) return { ...place, is: 'gone' };
    return hash === null || event.metadata.hash === hash ? undefined : { ...place, is: 'replaced' };
  } catch (error) {
    if (error instanceof BrokenHistory) return { ...place, is: 'gone' };
    throw error;
  }
};

/**
 * Which of both is remembered from now on, where the stream does not have it. A replaced event comes first: it says that
 * the history is another one, not merely shorter. A row was made after what was kept; where that is there again, what the
 * row shows stood in its place meanwhile.
 */
const lackedOf = async (log: Parts['log'], { stream, row, kept }: Shown): Promise<Lack | undefined> => {
  const ofKept = kept ? await lackOf(log, stream, kept) : undefined;
  if (kept && !ofKept) return undefined;
  const ofRow = row ? await lackOf(log, stream, row) : undefined;
  return [ofKept, ofRow].find((lack) => lack?.is === 'replaced') ?? ofKept ?? ofRow;
};

/** Of a damaged stream, what could not be taken is known by what was shown of it alone, be it in the log or not. */
const untakenOf = ({ next, row, kept }: Shown): Lack | undefined => {
  const [furthest] = [kept, row]
    .filter((place) => place !== null && place.revision >= next)
    .sort((one, other) => (other?.revision ?? 0) - (one?.revision ?? 0));
  return furthest ? { ...furthest, is: 'gone' } : undefined;
};

const PROBLEM: Readonly<Record<Lack['is'], (revision: number) => string>> = {
  gone: (revision) => `it ends before revision ${revision}, which was shown`,
  replaced: (revision) => `revision ${revision}: it is another event than was shown`,
};

/** Each costs a question to the log. Beside traffic most of what is asked for has only moved on. */
const ASKED_AT_ONCE = 20;

/**
 * Before the new rows take their place: rows that show more of a stream than its history has, or than could be taken of
 * it, or another event than it has, are the last that remember so. What they show is kept with the damage.
 */
export const keepShown = async ({ target: { client, prover }, log, projection }: Parts): Promise<void> => {
  const { prefix, table } = projection.proves ?? {};
  if (prefix === undefined || table === undefined) return;
  const lost: (Lack & { readonly stream: string; readonly next: number; readonly problem: string })[] = [];
  await inParallel(await shownOtherwise(client, projection.name, prefix, table), ASKED_AT_ONCE, async (shown) => {
    const { stream, next } = shown;
    const lack = (await lackedOf(log, shown)) ?? (prover?.damaged.has(stream) ? untakenOf(shown) : undefined);
    if (!lack) return;
    lost.push({ stream, next, ...lack, problem: (await brokenReason(log, stream)) ?? PROBLEM[lack.is](lack.revision) });
  });
  await client.query(
    `INSERT INTO projection_damage (name, rebuild, stream, revision, problem, found_at, shown_revision, shown_hash)
     SELECT $1, true, stream, next, problem, coalesce(found_at, now()), revision, hash
     FROM json_to_recordset($2)
       AS lost (stream text, next bigint, problem text, found_at timestamptz, revision bigint, hash text)
     ON CONFLICT (name, rebuild, stream) DO UPDATE
       SET found_at = EXCLUDED.found_at, shown_revision = EXCLUDED.shown_revision, shown_hash = EXCLUDED.shown_hash`,
    [projection.name, JSON.stringify(lost)],
  );
  for (const { stream, next } of lost) if (!prover?.damaged.has(stream)) prover?.damaged.set(stream, next);
};
