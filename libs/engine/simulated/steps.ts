import type { EngineSignal } from '#deposits';
import type { Queryable } from '#platform/postgres';
import type { Subject } from '../signals/target.ts';

/** As it waits in the table: `now` is the clock of whoever plays it. */
export type WaitingSignal = EngineSignal extends infer Signal
  ? Signal extends EngineSignal
    ? Omit<Signal, 'now'>
    : never
  : never;

export type PlannedStep = { readonly dueAt: Date; readonly signal: WaitingSignal };

const ADD = `
  INSERT INTO simulated_steps (deposit_id, transaction_id, due_at, signal, asked_by)
  SELECT $1, $5, due_at, signal, $4 FROM unnest($2::timestamptz[], $3::jsonb[]) WITH ORDINALITY AS t (due_at, signal, nth)
  ORDER BY nth`;

export const addSteps = async (
  db: Queryable,
  subject: Subject,
  steps: readonly PlannedStep[],
  askedBy: string,
): Promise<void> => {
  const signals = steps.map(({ signal }) => JSON.stringify(signal));
  const [depositId, transactionId] = 'depositId' in subject ? [subject.depositId, null] : [null, subject.transactionId];
  await db.query(ADD, [depositId, steps.map(({ dueAt }) => dueAt), signals, askedBy, transactionId]);
};

export type DueStep = {
  readonly id: number;
  readonly subject: Subject;
  readonly signal: WaitingSignal;
  readonly askedBy: string;
};

const CLAIM_SECONDS = 10;

// Only the first step that a deposit or transaction still has: its next one waits until that is done, whoever plays it.
const CLAIM = `
  UPDATE simulated_steps SET claimed_until = now() + make_interval(secs => $3)
  WHERE id IN (
    SELECT id FROM simulated_steps s
    WHERE due_at <= $1 AND (claimed_until IS NULL OR claimed_until <= now())
      AND NOT EXISTS (SELECT FROM simulated_steps earlier WHERE earlier.id < s.id
        AND (earlier.deposit_id = s.deposit_id OR earlier.transaction_id = s.transaction_id))
    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  RETURNING id, deposit_id AS "depositId", transaction_id AS "transactionId", signal, asked_by AS "askedBy"`;

type Row = Omit<DueStep, 'subject'> & { readonly depositId: number | null; readonly transactionId: number | null };

const stepOf = ({ depositId, transactionId, ...step }: Row): DueStep => ({
  ...step,
  subject: depositId === null ? { transactionId: transactionId ?? 0 } : { depositId },
});

export const claimDueSteps = async (db: Queryable, now: Date, limit: number): Promise<readonly DueStep[]> =>
  (await db.query<Row>(CLAIM, [now, limit, CLAIM_SECONDS])).rows.map(stepOf);

/** A payment that was played is found by its transaction from then on. */
const FINISH = `
  WITH done AS (
    DELETE FROM simulated_steps WHERE id = $1 RETURNING deposit_id, transaction_id, signal
  )
  INSERT INTO simulated_payments (txid, deposit_id, transaction_id)
  SELECT signal ->> 'txid', deposit_id, transaction_id FROM done WHERE signal ->> 'type' = 'payment.seen'`;

export const finishStep = async (db: Queryable, id: number): Promise<void> => {
  await db.query(FINISH, [id]);
};
