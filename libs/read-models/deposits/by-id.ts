import type pg from 'pg';
import { depositStream, loadDeposit } from '#deposit-commands';
import { depositView } from '#deposits';
import { BrokenHistory, type EventLog } from '#event-log';
import { together } from '#platform/together';
import { DEPOSIT_TEXT } from './queries/deposit-text.ts';

export type KnownDeposit = {
  /** The Deposit object as JSON, as it is sent. */
  readonly text: string;
  readonly affiliateId: number;
  readonly entityId: number;
  /** Of the last event that the text shows. */
  readonly revision: number;
};

type Log = Pick<EventLog, 'read' | 'lastRevision'>;

const NOTHING = -1;

/** What was shown once cannot be gone from the history; the row may only have been quicker than the look at the log. */
const folded = async (log: Log, depositId: number, shown = NOTHING): Promise<KnownDeposit | undefined> => {
  const { state, revision, updatedAt } = await loadDeposit(log, depositId);
  if ((revision === 'no_stream' ? NOTHING : revision) < shown)
    throw new BrokenHistory(
      `stream ${depositStream(depositId)} ends at ${revision}, and revision ${shown} of it was shown before`,
    );
  if (state.stage === 'none' || revision === 'no_stream') return undefined;
  const { affiliateId, entityId } = state.terms;
  return { text: JSON.stringify(depositView(state, updatedAt)), affiliateId, entityId, revision };
};

type Row = Omit<KnownDeposit, 'text'> & { readonly id: number; readonly text: string | null };

const ROWS = `
  SELECT id, affiliate_id AS "affiliateId", entity_id AS "entityId", revision, ${DEPOSIT_TEXT} AS text
  FROM deposits WHERE id = ANY ($1::bigint[])`;

const rowsById = (pool: pg.Pool) =>
  together<number, Row | undefined>(
    async (ids) => {
      const { rows } = await pool.query<Row>({ name: 'deposits_by_id', text: ROWS, values: [ids] });
      const byId = new Map(rows.map((row) => [Number(row.id), { ...row, revision: Number(row.revision) }]));
      return ids.map((id) => byId.get(id));
    },
    { lanes: 2 },
  );

/** The row where it is as new as the history, else the history itself: a reader sees every write answered before. */
export const createDepositById = (pool: pg.Pool, log: Log) => {
  const rowOf = rowsById(pool);
  return async (depositId: number): Promise<KnownDeposit | undefined> => {
    const [last, row] = await Promise.all([log.lastRevision(depositStream(depositId)), rowOf(depositId)]);
    if (row && row.revision > (last ?? NOTHING)) return folded(log, depositId, row.revision);
    if (last === undefined) return undefined;
    if (!row || row.revision < last || row.text === null) return folded(log, depositId);
    return { ...row, text: row.text };
  };
};
