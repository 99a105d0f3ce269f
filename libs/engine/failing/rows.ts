import { type Queryable, textArray } from '#platform/postgres';
import { payloadText } from '../take/payload-text.ts';
import type { Named } from './named.ts';

/** Some of these subjects have one already: what comes after it must not overtake it. */
export const subjectsFailing = async (db: Queryable, subjects: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await db.query<{ subject: string }>(
    'SELECT DISTINCT subject FROM engine_signals_failing WHERE subject = ANY ($1::text[])',
    [textArray(subjects)],
  );
  return new Set(rows.map(({ subject }) => subject));
};

/** In their order; one that comes again is here already. */
export const keepFailing = async (db: Queryable, signals: readonly Named[]): Promise<void> => {
  if (signals.length === 0) return;
  await db.query(
    `INSERT INTO engine_signals_failing (signal_id, subject, payload)
     SELECT signal_id, subject, payload
     FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS t (signal_id, subject, payload, place)
     ORDER BY place ON CONFLICT DO NOTHING`,
    [
      textArray(signals.map(({ signalId }) => signalId)),
      textArray(signals.map(({ subject }) => subject)),
      textArray(signals.map(({ raw }) => payloadText(raw))),
    ],
  );
};

export type Failing = { readonly id: number; readonly signal_id: string; readonly payload: string };

/** While one steps back, all of its subject wait behind it. */
const DUE = `
  SELECT id, signal_id, payload FROM engine_signals_failing f
  WHERE NOT EXISTS (SELECT FROM engine_signals_failing b WHERE b.subject = f.subject AND b.again_at > now())
  ORDER BY id LIMIT $1`;

export const dueAgain = async (db: Queryable, most: number): Promise<readonly Failing[]> =>
  (await db.query<Failing>(DUE, [most])).rows;

export const forgetFailing = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query('DELETE FROM engine_signals_failing WHERE id = ANY ($1::bigint[])', [ids]);
};

/** For a second, and twice as long each time up to some minutes. */
export const stepBack = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query(
    `UPDATE engine_signals_failing
     SET failures = failures + 1, again_at = now() + interval '1 s' * (1 << least(failures, 8))
     WHERE id = ANY ($1::bigint[])`,
    [ids],
  );
};
