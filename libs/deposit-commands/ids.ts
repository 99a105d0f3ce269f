import type { Queryable } from '#platform/postgres';

export type DepositIds = { readonly depositId: number; readonly transactionId: number };

/** Ids come from sequences: unique over all instances, rising, and with gaps where something was not made. */
export type Ids = {
  readonly nextDeposit: () => Promise<DepositIds>;
  readonly nextReturn: () => Promise<number>;
};

export const createIds = (db: Queryable): Ids => {
  const nextOf = async <Names extends string>(name: string, text: string): Promise<Record<Names, number>> => {
    const { rows } = await db.query<Record<Names, number>>({ name, text });
    const [row] = rows;
    if (!row) throw new Error(`the sequence behind ${name} gave nothing`);
    return row;
  };
  return {
    nextDeposit: () =>
      nextOf<'depositId' | 'transactionId'>(
        'next_deposit_ids',
        `SELECT nextval('deposit_ids') AS "depositId", nextval('transaction_ids') AS "transactionId"`,
      ),
    nextReturn: async () => (await nextOf<'id'>('next_return_id', `SELECT nextval('return_ids') AS id`)).id,
  };
};
