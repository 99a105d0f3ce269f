import type { Queryable } from '#platform/postgres';
import type { Claim } from './claimed.ts';
import type { KeptOutcome } from './record-outcomes.ts';

const KNOWN =
  'SELECT signal_id, deposit_id, transaction_id, type, outcome FROM engine_signals WHERE signal_id = ANY ($1)';

export type Known = {
  readonly signal_id: string;
  readonly deposit_id: number | null;
  readonly transaction_id: number | null;
  readonly type: string | null;
  readonly outcome: KeptOutcome | null;
};

/** The very same id for something else is a second signal, and takes nothing up again. */
export const isSame = (claim: Claim, known: Known): boolean =>
  known.deposit_id === claim.depositId && known.transaction_id === claim.transactionId && known.type === claim.type;

export const knownOf = async (db: Queryable, claims: readonly Claim[]): Promise<ReadonlyMap<string, Known>> => {
  const { rows } = await db.query<Known>(KNOWN, [claims.map(({ signalId }) => signalId)]);
  return new Map(rows.map((row) => [row.signal_id, row]));
};
