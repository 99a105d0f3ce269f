import type { SignalOutcome } from '#deposits';
import { type Queryable, textArray } from '#platform/postgres';

export const keptOutcomes = ['applied', 'ignored', 'rejected'] as const satisfies readonly SignalOutcome['outcome'][];
export type KeptOutcome = (typeof keptOutcomes)[number];

export type Recorded = {
  readonly signalId: string;
  readonly outcome: KeptOutcome;
  readonly detail: string | null;
};

// Locked in the order of their ids: two instances that had the same signals must not wait for each other in a circle.
const RECORD = `
  WITH open AS (
    SELECT signal_id FROM engine_signals
    WHERE signal_id = ANY ($1::text[]) AND outcome IS NULL
    ORDER BY signal_id FOR UPDATE
  )
  UPDATE engine_signals AS known SET outcome = given.outcome, detail = given.detail
  FROM open JOIN unnest($1::text[], $2::text[], $3::text[]) AS given (signal_id, outcome, detail) USING (signal_id)
  WHERE known.signal_id = open.signal_id
  RETURNING known.signal_id`;

/** Gives back the ids whose outcome was not known before: of two that handled the same signal, one gets it. */
export const recordOutcomes = async (db: Queryable, outcomes: readonly Recorded[]): Promise<ReadonlySet<string>> => {
  if (outcomes.length === 0) return new Set();
  const values = [
    textArray(outcomes.map(({ signalId }) => signalId)),
    textArray(outcomes.map(({ outcome }) => outcome)),
    textArray(outcomes.map(({ detail }) => detail)),
  ];
  const { rows } = await db.query<{ signal_id: string }>({ name: 'record_signals', text: RECORD, values });
  return new Set(rows.map((row) => row.signal_id));
};
