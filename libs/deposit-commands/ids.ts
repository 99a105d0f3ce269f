import { lastOfSequences, type Queryable, raiseSequence, setSequencesAlone } from '#platform/postgres';
import { together } from '#platform/together';

export type DepositIds = { readonly depositId: number; readonly transactionId: number };

/** Ids come from sequences: unique over all instances, rising, and with gaps where something was not made. */
export type Ids = {
  readonly nextDeposit: () => Promise<DepositIds>;
  readonly nextReturn: () => Promise<number>;
};

/** Nothing was given out, and nothing was made: the reason is for operators. */
export class NumbersUnavailable extends Error {
  override readonly name = 'NumbersUnavailable';
}

/** Whatever is given out is taken within it; rejects while that may have been given out before. */
export type Giving = <T>(take: () => Promise<T>) => Promise<T>;

/** SQL that is true while ids may be given: asked in the statement that takes them. */
export type GivenWhile = string;

export const GIVEN_ALWAYS: GivenWhile = 'true';

/** Of a statement that gives as many as are asked for, or none. */
export const allGiven = <Row>(rows: readonly Row[], asked: number): readonly Row[] => {
  if (rows.length === asked) return rows;
  throw new NumbersUnavailable('this installation keeps its history in another event log, or is about to');
};

export const createIds = (db: Queryable, giving: Giving, givenWhile = GIVEN_ALWAYS): Ids => {
  /** For all who want some at the same time; none is kept for later, so ids rise with time over all instances. */
  const taking = <Names extends string>(name: string, columns: string): (() => Promise<Record<Names, number>>) => {
    const text = `SELECT ${columns} FROM generate_series(1, $1::int) WHERE (SELECT ${givenWhile})`;
    const take = together<undefined, Record<Names, number>>(({ length }) =>
      giving(async () => {
        const { rows } = await db.query<Record<Names, number>>({ name, text, values: [length] });
        return allGiven(rows, length);
      }),
    );
    return () => take(undefined);
  };
  const nextDeposit = taking<'depositId' | 'transactionId'>(
    'next_deposit_ids',
    `nextval('deposit_ids') AS "depositId", nextval('transaction_ids') AS "transactionId"`,
  );
  const nextReturn = taking<'id'>('next_return_id', `nextval('return_ids') AS id`);
  return { nextDeposit, nextReturn: async () => (await nextReturn()).id };
};

export type GivenIds = { readonly [Name in 'depositId' | 'transactionId' | 'returnId']?: number };

/** The last that were given, or passed over. */
export const lastIds = (db: Queryable): Promise<Required<GivenIds>> =>
  lastOfSequences(db, { depositId: 'deposit_ids', transactionId: 'transaction_ids', returnId: 'return_ids' });

/** In a transaction. The next ids are above these; answers whether one of them was never given here. */
export const raiseIds = async (db: Queryable, { depositId, transactionId, returnId }: GivenIds): Promise<boolean> => {
  const raised = [
    depositId && (await raiseSequence(db, 'deposit_ids', depositId)),
    transactionId && (await raiseSequence(db, 'transaction_ids', transactionId)),
    returnId && (await raiseSequence(db, 'return_ids', returnId)),
  ];
  return raised.includes(true);
};

/** Whether one was given, whatever became of it; also where they were only passed over. */
export const hasGivenIds = async (db: Queryable): Promise<boolean> => {
  const { rows } = await db.query<{ given: boolean }>(
    'SELECT d.is_called OR t.is_called AS given FROM deposit_ids d, transaction_ids t',
  );
  return rows[0]?.given ?? false;
};

/** In a transaction. The next ids are further on by so many: others may take some meanwhile, but never as many. */
export const passOverIds = async (db: Queryable, by: number): Promise<void> => {
  await setSequencesAlone(db);
  for (const sequence of ['deposit_ids', 'transaction_ids', 'return_ids'])
    await db.query(`SELECT setval('${sequence}', $1 + (SELECT last_value FROM ${sequence}))`, [by]);
};
