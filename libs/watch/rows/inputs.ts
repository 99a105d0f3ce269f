import type { ChainTransaction } from '#chains';
import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';

/** What a payment depends on: `via` is the transaction that spends it, the payment's own or an ancestor's. */
export type Dependence = { readonly outpoint: string; readonly via: string };

export const dependOn = async (
  db: Queryable,
  chain: Ticker,
  txid: string,
  dependences: readonly Dependence[],
): Promise<void> => {
  await db.query(
    `INSERT INTO chain_payment_inputs (chain, outpoint, txid, via)
     SELECT $1, outpoint, $2, via FROM unnest($3::text[], $4::text[]) AS t (outpoint, via) ON CONFLICT DO NOTHING`,
    [chain, txid, dependences.map(({ outpoint }) => outpoint), dependences.map(({ via }) => via)],
  );
};

/** Where what a payment spends itself is known, what was said of that before and is not so ends it no more. */
export const dependOnNoOther = async (
  db: Queryable,
  chain: Ticker,
  txid: string,
  dependences: readonly Dependence[],
): Promise<void> => {
  const own = dependences.filter(({ via }) => via === txid).map(({ outpoint }) => outpoint);
  if (own.length === 0) return;
  await db.query(
    `DELETE FROM chain_payment_inputs
     WHERE chain = $1 AND txid = $2 AND via = $2 AND NOT outpoint = ANY ($3::text[])`,
    [chain, txid, own],
  );
};

/** What these payments depend on, as far as that is known. */
export const dependencesIn = async (db: Queryable, chain: Ticker, txids: readonly string[]): Promise<readonly Row[]> =>
  (
    await db.query<Row>(
      'SELECT txid, outpoint, via FROM chain_payment_inputs WHERE chain = $1 AND txid = ANY ($2::text[])',
      [chain, txids],
    )
  ).rows;

/** Of these payments, what each depends on as far as that is known. */
export const outpointsOf = async (
  db: Queryable,
  chain: Ticker,
  txids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const byTransaction = Map.groupBy(await dependencesIn(db, chain, txids), ({ txid }) => txid);
  return new Map([...byTransaction].map(([txid, those]) => [txid, those.map(({ outpoint }) => outpoint)]));
};

/** Who spends these in a block that was applied, as far as payments that are there depend on it. */
export const minedSpenders = async (
  db: Queryable,
  chain: Ticker,
  outpoints: readonly string[],
): Promise<readonly (readonly [outpoint: string, by: string])[]> =>
  (
    await db.query<Row>(
      `SELECT i.outpoint, i.txid, i.via FROM chain_payment_inputs i
       WHERE i.chain = $1 AND i.outpoint = ANY ($2::text[]) AND EXISTS (
         SELECT FROM chain_payments p WHERE p.chain = i.chain AND p.txid = i.txid AND p.block_hash IS NOT NULL)`,
      [chain, outpoints],
    )
  ).rows.map(({ outpoint, via }) => [outpoint, via] as const);

/** What a transaction takes away from others, as far as that is known of it. */
export type Spending = Pick<ChainTransaction, 'txid' | 'inputs' | 'usedUp'> &
  Partial<Pick<ChainTransaction, 'isPegOut'>>;

/** The payment `txid` can no longer happen, because `by` spends what it needs. */
export type Conflict = { readonly txid: string; readonly by: string; readonly isByPegOut: boolean };

type Row = { readonly outpoint: string; readonly txid: string; readonly via: string };

const DEPENDENTS =
  'SELECT outpoint, txid, via FROM chain_payment_inputs WHERE chain = $1 AND outpoint = ANY ($2::text[])';

export const conflictsWith = async (
  db: Queryable,
  chain: Ticker,
  transactions: readonly Spending[],
): Promise<readonly Conflict[]> => {
  // What a transaction names as its own comes last: no state that a node tells of another takes it away.
  const spenders = new Map([
    ...transactions.flatMap(({ txid, usedUp = [] }) => usedUp.map((outpoint) => [outpoint, txid] as const)),
    ...transactions.flatMap(({ txid, inputs }) => inputs.map((outpoint) => [outpoint, txid] as const)),
  ]);
  if (spenders.size === 0) return [];
  const { rows } = await db.query<Row>({
    name: 'dependents_of_outpoints',
    text: DEPENDENTS,
    values: [chain, [...spenders.keys()]],
  });
  const pegOuts = new Set(transactions.flatMap(({ txid, isPegOut }) => (isPegOut ? [txid] : [])));
  return rows.flatMap(({ outpoint, txid, via }): Conflict[] => {
    const by = spenders.get(outpoint) ?? txid;
    return by === txid || by === via ? [] : [{ txid, by, isByPegOut: pegOuts.has(by) }];
  });
};
