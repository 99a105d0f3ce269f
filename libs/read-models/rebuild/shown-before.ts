import type pg from 'pg';
import { BrokenHistory, type EventLog } from '#event-log';
import { NOT_ACCEPTED } from '../damage/lost-ends.ts';
import { brokenReason } from '../damage/prover.ts';
import type { Projection } from '../projection.ts';
import type { Target } from '../runner/apply-batch.ts';
import { besideOf, quoted } from './table-names.ts';

type Parts = { readonly target: Target; readonly log: Pick<EventLog, 'read'>; readonly projection: Projection };

type Further = {
  readonly stream: string;
  readonly revision: string;
  readonly hash: string | null;
  /** The first that is in no new row. */
  readonly next: string;
};

/** Whatever readers have seen of a stream, and what an earlier rebuild kept of that, unless it was accepted to be gone. */
const furtherThanNew = async (client: pg.Client, name: string, prefix: string, table: string) => {
  const { rows } = await client.query<Further>(
    `SELECT $2 || id AS stream, seen.revision, seen.hash, coalesce(fresh.revision + 1, 0) AS next
     FROM (SELECT id, revision, hash FROM ${quoted(table)} UNION ALL
           SELECT substr(stream, length($2) + 1)::bigint, shown_revision, shown_hash FROM projection_damage
           WHERE name = $1 AND NOT rebuild AND ${NOT_ACCEPTED}) AS seen
     LEFT JOIN ${quoted(besideOf(table))} AS fresh USING (id)
     WHERE fresh.revision IS NULL OR fresh.revision < seen.revision ORDER BY seen.revision`,
    [name, prefix],
  );
  return rows;
};

const isThere = async (log: Parts['log'], { stream, revision, hash }: Further): Promise<boolean> => {
  try {
    const [event] = await Array.fromAsync(log.read(stream, { from: Number(revision), limit: 1, asStored: true }));
    return event !== undefined && (hash === null || event.metadata.hash === hash);
  } catch (error) {
    if (error instanceof BrokenHistory) return false;
    throw error;
  }
};

/**
 * Before the new rows take their place: rows that show more of a stream than its history has, or than could be taken of
 * it, are the last that remember so. What they show is kept with the damage. Most of what is found has only moved on.
 */
export const keepShown = async ({ target: { client, prover }, log, projection }: Parts): Promise<void> => {
  const { prefix, table } = projection.proves ?? {};
  if (prefix === undefined || table === undefined) return;
  for (const further of await furtherThanNew(client, projection.name, prefix, table)) {
    const { stream, revision, hash, next } = further;
    const isKnown = prover?.damaged.has(stream);
    if (!isKnown && (await isThere(log, further))) continue;
    const problem = (await brokenReason(log, stream)) ?? `it ends before revision ${revision}, which was shown`;
    await client.query(
      `INSERT INTO projection_damage (name, rebuild, stream, revision, problem, shown_revision, shown_hash)
       VALUES ($1, true, $2, $3, $4, $5, $6) ON CONFLICT (name, rebuild, stream)
       DO UPDATE SET shown_revision = EXCLUDED.shown_revision, shown_hash = EXCLUDED.shown_hash`,
      [projection.name, stream, next, problem, revision, hash],
    );
    if (!isKnown) prover?.damaged.set(stream, Number(next));
  }
};
