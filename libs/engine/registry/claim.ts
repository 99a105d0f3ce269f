import type { Queryable } from '#platform/postgres';

/** A signal_id that comes in, with what is kept of it for operators. */
export type Claim = {
  readonly signalId: string;
  readonly depositId: number | null;
  readonly type: string | null;
  readonly at: string | null;
  /** As it was sent. */
  readonly payload: string;
  /** Why it cannot be handled at all; null when it is to be handled. */
  readonly rejectedBecause: string | null;
};

/** `again`: taken before, but nobody said what came of it: its instance died, or is at it right now. */
export type Claimed = 'first' | 'again' | 'taken';

// In the order of their ids, so that two instances with the same signals wait for each other and never in a circle.
const CLAIM = `
  INSERT INTO engine_signals (signal_id, deposit_id, type, at, payload, taken_by, outcome, detail)
  SELECT signal_id, deposit_id, type, at, payload, $6,
         CASE WHEN refused IS NOT NULL THEN 'rejected' END, refused
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $7::text[])
       AS given (signal_id, deposit_id, type, at, payload, refused)
  ORDER BY signal_id
  ON CONFLICT (signal_id) DO NOTHING
  RETURNING signal_id`;

const KNOWN = 'SELECT signal_id, deposit_id, type, outcome FROM engine_signals WHERE signal_id = ANY ($1)';

type Known = {
  readonly signal_id: string;
  readonly deposit_id: number | null;
  readonly type: string | null;
  readonly outcome: string | null;
};

const insert = async (db: Queryable, claims: readonly Claim[], takenBy: string): Promise<ReadonlySet<string>> => {
  const column = <Field extends keyof Claim>(field: Field) => claims.map((claim) => claim[field]);
  const { rows } = await db.query<{ signal_id: string }>(CLAIM, [
    column('signalId'),
    column('depositId'),
    column('type'),
    column('at'),
    column('payload'),
    takenBy,
    column('rejectedBecause'),
  ]);
  return new Set(rows.map((row) => row.signal_id));
};

/** The very same id for something else is a second signal, and takes nothing up again. */
const isSame = (claim: Claim, known: Known): boolean =>
  known.deposit_id === claim.depositId && known.type === claim.type;

/** Takes the ids of one call in one statement. No id may come twice in it. */
export const claimSignals = async (
  db: Queryable,
  claims: readonly Claim[],
  takenBy: string,
): Promise<ReadonlyMap<string, Claimed>> => {
  const first = await insert(db, claims, takenBy);
  const others = claims.filter(({ signalId }) => !first.has(signalId));
  const { rows } =
    others.length > 0 ? await db.query<Known>(KNOWN, [others.map(({ signalId }) => signalId)]) : { rows: [] };
  const known = new Map(rows.map((row) => [row.signal_id, row]));
  return new Map(
    claims.map((claim) => {
      const before = known.get(claim.signalId);
      if (!before) return [claim.signalId, 'first'];
      return [claim.signalId, before.outcome === null && isSame(claim, before) ? 'again' : 'taken'];
    }),
  );
};
