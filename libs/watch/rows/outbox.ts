import type { Ticker } from '#money';
import type { Queryable } from '#platform/postgres';
import type { RawSignal, Told } from '../signals.ts';
import { someAtATime } from './some-at-a-time.ts';

/** Each one's turn is a second behind the one before of the same, and the last that waits is looked up once for each. */
const ADD = `
  WITH told AS MATERIALIZED (
    SELECT signal, place, subject_of_chain_signal(signal) AS subject
    FROM unnest($2::jsonb[]) WITH ORDINALITY AS t (signal, place)
  ), turns AS MATERIALIZED (
    SELECT subject, next_chain_turn($1, subject) AS first FROM (SELECT DISTINCT subject FROM told) AS subjects
  )
  INSERT INTO chain_outbox (chain, signal, turn_at)
  SELECT $1, signal, first + interval '1 s' * (row_number() OVER (PARTITION BY subject ORDER BY place) - 1)
  FROM told JOIN turns USING (subject) ORDER BY place
  RETURNING id`;

const add = async (db: Queryable, chain: Ticker, signals: readonly RawSignal[]): Promise<readonly number[]> => {
  const { rows } = await db.query<{ id: number }>(ADD, [chain, signals.map((signal) => JSON.stringify(signal))]);
  return rows.map(({ id }) => id);
};

/** In the transaction of the facts, and in their order; a stranger may have thousands told at once. */
export const tell = async (db: Queryable, chain: Ticker, signals: readonly RawSignal[]): Promise<void> => {
  for (const some of someAtATime(signals)) await add(db, chain, some);
};

/** Before whatever waits of the same one, or comes meanwhile. */
const ADD_FIRST = `
  INSERT INTO chain_outbox (chain, signal, turn_at)
  SELECT $1, signal, least(now(), (
      SELECT turn_at FROM chain_outbox WHERE chain || ' ' || subject = $1::text || ' ' || subject_of_chain_signal($2[1])
      ORDER BY turn_at LIMIT 1)) - interval '1 hour'
  FROM unnest($2::jsonb[]) WITH ORDINALITY AS t (signal, place) ORDER BY place`;

/** Of one deposit or transaction, in their order. */
export const tellFirst = async (db: Queryable, chain: Ticker, signals: readonly RawSignal[]): Promise<void> => {
  for (const some of [...someAtATime(signals)].toReversed())
    await db.query(ADD_FIRST, [chain, some.map((signal) => JSON.stringify(signal))]);
};

/** Taken back, to be told elsewhere in the order: that this payment is confirmed no more. */
export const takeBackReorged = async (
  db: Queryable,
  chain: Ticker,
  { txid, vout, depositId, transactionId }: Pick<Told, 'txid' | 'vout' | 'depositId' | 'transactionId'>,
): Promise<readonly RawSignal[]> =>
  (
    await db.query<{ signal: RawSignal }>(
      `DELETE FROM chain_outbox WHERE chain = $1 AND signal ->> 'type' = 'payment.reorged' AND signal ->> 'txid' = $2
         AND signal -> 'vout' = to_jsonb($3::bigint)
         AND (signal -> 'deposit_id' = to_jsonb($4::bigint) OR signal -> 'transaction_id' = to_jsonb($5::bigint))
       RETURNING signal`,
      [chain, txid, vout, depositId, transactionId],
    )
  ).rows.map(({ signal }) => signal);

/** Which of these, that were dealt among others, have by now one of the same before them that was not. */
export const overtaken = async (
  db: Queryable,
  ids: readonly number[],
  dealt: readonly number[],
): Promise<ReadonlySet<number>> => {
  const { rows } = await db.query<{ id: number }>(
    `SELECT id FROM chain_outbox o WHERE id = ANY ($1::bigint[]) AND EXISTS (
       SELECT FROM chain_outbox b WHERE b.chain || ' ' || b.subject = o.chain || ' ' || o.subject
         AND b.turn_at < o.turn_at AND b.id <> ALL ($2::bigint[]))`,
    [ids, dealt],
  );
  return new Set(rows.map(({ id }) => id));
};

export type Waiting = { readonly id: number; readonly signal: RawSignal };

/** Whoever has one that stepped back is told nothing out of order. Once some were dealt to, those others whose turn has come. */
const DUE = `
  SELECT id, signal, subject, turn_at FROM chain_outbox o
  WHERE chain = $1 AND (cardinality($4::text[]) = 0 OR turn_at <= now() AND subject <> ALL ($4)) AND NOT EXISTS (
    SELECT FROM chain_outbox b WHERE b.chain = o.chain AND b.subject = o.subject AND b.again_at > now())
  ORDER BY turn_at, id LIMIT $2`;

/** Whose turn it is, of each deposit the first ones alone. */
const DEALT = `
  SELECT id, signal, subject, nth::int FROM (
    SELECT *, row_number() OVER (PARTITION BY subject ORDER BY turn_at, id) AS nth FROM (${DUE}) AS due
  ) AS numbered
  WHERE nth <= $3 ORDER BY turn_at, id`;

type Dealt = Waiting & { readonly subject: string; readonly nth: number };

type Share = { readonly most: number; readonly mostOfOne: number; readonly dealt: readonly Dealt[] };

/** Those of others than were dealt to already. */
const dealAmong = async (
  db: Queryable,
  chain: Ticker,
  { most, mostOfOne, dealt }: Share,
): Promise<readonly Dealt[]> => {
  const subjects = [...new Set(dealt.map(({ subject }) => subject))];
  return (await db.query<Dealt>(DEALT, [chain, most, mostOfOne, subjects])).rows;
};

/** Whoever has as many as fit may be many, before all of others: so much is left to those. */
const LEFT_TO_OTHERS = 1 / 4;

/** Much that waits of some, before all of others, leaves those their turn: it comes behind the first ones of each. */
export const deal = async (
  db: Queryable,
  chain: Ticker,
  most: number,
  mostOfOne: number,
): Promise<readonly Waiting[]> => {
  const isCut = (dealt: readonly Dealt[]): boolean => dealt.some(({ nth }) => nth === mostOfOne);
  const isFull = (dealt: readonly Dealt[]): boolean => dealt.length === most && dealt.some(({ nth }) => nth > 1);
  const first = await dealAmong(db, chain, { most, mostOfOne, dealt: [] });
  const left = Math.max(most - first.length, Math.floor(most * LEFT_TO_OTHERS));
  const others: Dealt[] = [];
  for (let isMore = isCut(first) || isFull(first); isMore && others.length < left; ) {
    const some = await dealAmong(db, chain, { most: left - others.length, mostOfOne, dealt: [...first, ...others] });
    others.push(...some);
    isMore = isCut(some);
  }
  return [...first.slice(0, most - others.length), ...others].map(({ id, signal }) => ({ id, signal }));
};

export const forget = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  await db.query('DELETE FROM chain_outbox WHERE id = ANY ($1::bigint[])', [ids]);
};

/** In its place: what comes after it of the same deposit does so still. In a transaction. */
export const tellInstead = async (
  db: Queryable,
  chain: Ticker,
  { id, signals }: { readonly id: number; readonly signals: readonly RawSignal[] },
): Promise<void> => {
  const added = await add(db, chain, signals);
  // Its turn is given to each that is added, behind all of the deposit that wait.
  await db.query(
    'UPDATE chain_outbox n SET turn_at = o.turn_at FROM chain_outbox o WHERE o.id = $1 AND n.id = ANY ($2::bigint[])',
    [id, added],
  );
  await forget(db, [id]);
};

/** For a second, and twice as long each time up to some minutes. */
export const stepBack = async (db: Queryable, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return;
  await db.query(
    `UPDATE chain_outbox SET failures = failures + 1, again_at = now() + interval '1 s' * (1 << least(failures, 8))
     WHERE id = ANY ($1::bigint[])`,
    [ids],
  );
};
