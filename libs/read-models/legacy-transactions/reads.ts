import type { EventLog } from '#event-log';
import { emailOf, loadTransaction, transactionStream } from '#legacy-commands';
import { type TransactionStatus, type TransactionView, transactionView } from '#legacy-transactions';
import { listPage, type Page, type Paged } from '#platform/postgres';
import { onceForAll } from '#platform/together';
import { createFreshness, type Freshness, type FreshnessParts, type Listed } from '../freshness.ts';
import { transactionsProjection } from './projection.ts';
import { type OperatorTransaction, operatorViewOfRow, SELECT, type TransactionRow, viewOfRow } from './rows.ts';

export type KnownTransaction = {
  readonly affiliateId: number;
  readonly view: TransactionView & { readonly email: string | null };
};

export type TransactionFilters = Page & {
  readonly transactionId?: number | undefined;
  readonly affiliateId?: number | undefined;
  readonly status?: TransactionStatus | undefined;
  readonly currency?: string | undefined;
  /** Only those that an operator has to look at. */
  readonly flagged?: boolean | undefined;
  /** Those alone, and only once the read model is up to date. */
  readonly among?: () => Promise<readonly number[]>;
  /** As it stood when its rows were written last. */
  readonly stale?: boolean | undefined;
};

export type TransactionReads = Pick<Freshness, 'isUpToDate' | 'movedAt'> & {
  /** Always complete, also while the projection stands still. */
  readonly byId: (transactionId: number) => Promise<KnownTransaction | undefined>;
  /** Newest first. */
  readonly page: (filters: TransactionFilters) => Promise<Listed<Paged<OperatorTransaction>>>;
};

type Parts = FreshnessParts & { readonly log: Pick<EventLog, 'read' | 'lastRevision' | 'newest'> };

/** Ids are numbers: nothing else can stand in them. */
const onlyOf = (flagged: boolean | undefined, among: readonly number[] | undefined): string | undefined => {
  const only = [
    ...(flagged === undefined ? [] : [`t.flags ${flagged ? '<>' : '='} '[]'::jsonb`]),
    ...(among ? [`t.id = ANY('{${among.map(Number).join(',')}}'::bigint[])`] : []),
  ];
  return only.length === 0 ? undefined : only.join(' AND ');
};

export const openTransactionReads = ({ pool, log, patienceMs }: Parts): TransactionReads => {
  const { fresh, isUpToDate, movedAt } = createFreshness({ projection: transactionsProjection, log, pool, patienceMs });

  const rowOf = async (transactionId: number): Promise<TransactionRow | undefined> =>
    (
      await pool.query<TransactionRow>({
        name: 'legacy_transaction_by_id',
        text: `${SELECT} WHERE t.id = $1`,
        values: [transactionId],
      })
    ).rows[0];

  /** Those who need a long history at the same time share one. */
  const folded = onceForAll(async (transactionId: number): Promise<KnownTransaction | undefined> => {
    const { state } = await loadTransaction(log, transactionId);
    if (state.stage === 'none') return undefined;
    const email = await emailOf(pool, transactionId);
    return { affiliateId: state.terms.affiliateId, view: { ...transactionView(state), email } };
  });

  return {
    byId: async (transactionId) => {
      const last = await log.lastRevision(transactionStream(transactionId));
      const row = await rowOf(transactionId);
      if (!row && last === undefined) return undefined;
      // Where the row is ahead, whoever reads the whole is told what is broken.
      if (!row || Number(row.revision) !== last) return folded(transactionId);
      return { affiliateId: row.affiliate_id, view: { ...viewOfRow(row), email: row.email } };
    },
    page: ({ transactionId, affiliateId, status, currency, flagged, among, stale, ...page }) =>
      fresh(
        async () =>
          listPage<TransactionRow, OperatorTransaction>(pool, {
            ...page,
            select: SELECT,
            key: 't.id',
            only: onlyOf(flagged, await among?.()),
            where: { 't.id': transactionId, 't.affiliate_id': affiliateId, 't.status': status, 't.currency': currency },
            order: 'newest first',
            item: operatorViewOfRow,
          }),
        stale,
      ),
    isUpToDate,
    movedAt,
  };
};
