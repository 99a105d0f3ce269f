import type pg from 'pg';
import { lastIds } from '#deposit-commands';
import { recordChange } from '#partners';
import type { Health } from '#platform/health';
import type { Logger } from '#platform/logging';
import { inTransaction } from '#platform/postgres';
import { NUMBERS } from './put-back.ts';

export type SharedParts = {
  readonly pool: pg.Pool;
  readonly logger: Pick<Logger, 'error' | 'fatal'>;
  readonly health?: Pick<Health, 'alarm' | 'calm'> | undefined;
};

/** Of which a stream begins under a number that was given. */
export type Numbered = 'deposit' | 'transaction';

/**
 * Whether somebody else gives numbers out in this log. A database that was exchanged gives numbers again too, of which
 * those before may still be on their way to the log.
 */
export type Shared = {
  /** One of somebody else stood there under a number that this database gave. */
  readonly met: (kind: Numbered, id: number) => void;
  /** That has, and for a while may have, another reason: the database was put back, is another one, or was raised. */
  readonly explain: () => void;
  /** Once the log was counted again. Answers why nothing is given out any more, where that is so. */
  readonly judge: () => Promise<string | undefined>;
};

type Met = { readonly kind: Numbered; readonly id: number };

const whyOf = ({ kind, id }: Met): string =>
  `${kind} ${id} stood in the event log already, which had been counted: somebody else gives numbers out in it, ` +
  'most likely a second database of this installation, a copy that was started beside its log. End what runs on the copy, ' +
  'and look for addresses that two deposits have';

const refusalOf = (why: string): string =>
  `no number is given out any more: once again ${why}; then run \`cointill numbers raise\``;

const noteShared = (pool: pg.Pool, because: string): Promise<Date | undefined> =>
  inTransaction(pool, async (db) => {
    // The row first, as whoever raises numbers: the audit trail is one for all, and is held to the end.
    const { rows } = await db.query<{ at: Date }>(
      'UPDATE numbers_given_in SET shared_at = now() RETURNING shared_at AS at',
    );
    await recordChange(db, { actor: 'the installation', action: 'changed', ...NUMBERS, after: { because } });
    return rows[0]?.at;
  });

const isAskedSince = async (pool: pg.Pool, since: Date): Promise<boolean> => {
  const { rowCount } = await pool.query('SELECT FROM numbers_given_in WHERE asked_at > $1', [since]);
  return rowCount === 1;
};

/** Longer than whoever has a number waits for an address and for the log together: after it no append is under way. */
const UNDER_WAY_MS = 120_000;

export const createShared = ({ pool, logger, health }: SharedParts): Shared => {
  let unjudged: Met | undefined;
  let countedTo: Readonly<Record<Numbered, number>> = { deposit: 0, transaction: 0 };
  let explainedAt = Number.NEGATIVE_INFINITY;
  let toldAt: Date | undefined;
  let refusal: string | undefined;
  const alarms = new Set<string>();

  const isExplained = (): boolean => performance.now() - explainedAt < UNDER_WAY_MS;
  const alarm = (what: string): void => {
    alarms.add(what);
    health?.alarm(what);
  };
  const tell = async (met: Met): Promise<void> => {
    const why = whyOf(met);
    const isAgain = toldAt !== undefined;
    toldAt = (await noteShared(pool, why)) ?? new Date();
    if (isAgain) refusal = refusalOf(why);
    alarm(refusal ?? why);
    logger.error({ alert: 'numbers_shared', [`${met.kind}_id`]: met.id }, refusal ?? why);
  };
  const forget = (): void => {
    [toldAt, refusal] = [undefined, undefined];
    for (const what of alarms) health?.calm(what);
    alarms.clear();
  };

  return {
    met: (kind, id) => {
      // Of several calls that had their numbers before the log was counted again it is known by then.
      if (id > countedTo[kind] && !isExplained()) unjudged = { kind, id };
    },
    explain: () => {
      explainedAt = performance.now();
      unjudged = undefined;
    },
    judge: async () => {
      const told = unjudged;
      if (told !== undefined) await tell(told);
      // Another one that came meanwhile is of the same time.
      unjudged = undefined;
      const { depositId: deposit, transactionId: transaction } = await lastIds(pool);
      countedTo = { deposit, transaction };
      if (toldAt && (await isAskedSince(pool, toldAt))) forget();
      return refusal;
    },
  };
};
