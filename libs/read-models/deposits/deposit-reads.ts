import type { Instant } from '#deposits';
import type { EventLog } from '#event-log';
import type { Currency } from '#money';
import { createFreshness, type Freshness, type FreshnessParts, type Listed } from '../freshness.ts';
import { createDepositById } from './by-id.ts';
import { depositsProjection } from './projection.ts';
import { openReadSource, type ReadSourceOptions } from './queries/data-source.ts';
import { type DepositListQuery, listDeposits } from './queries/list.ts';
import { type DepositFilters, type DepositPage, pageOfDeposits } from './queries/page.ts';
import type { PageCursor } from './queries/page-cursor.ts';
import { idsWithoutAddress, isReturningPlayer } from './queries/players.ts';
import { type Settlement, type Settlements, settlementOfDeposit, settlementsOf } from './queries/settlements.ts';
import { shareLists } from './queries/shared-lists.ts';
import { type Stat, statsOf } from './queries/stats.ts';
import { createShown, type KnownDeposit, type MaySee } from './shown.ts';

/** A list as it stood when its rows were written last, for whoever would rather see what is old than nothing. */
type Stale = { readonly stale?: boolean };

/**
 * What partners and operators read of deposits. `untilVisible` is true as soon as every reader sees the position, false
 * at the bound: the one of an answer that waits, by default. `movedAt` is of what is stale.
 */
export type DepositReads = Omit<Freshness, 'fresh'> & {
  /** Always complete, also while the projection stands still. */
  readonly byId: (depositId: number, maySee?: MaySee) => Promise<KnownDeposit | undefined>;
  /** The page of a partner's list, as JSON. Those of one affiliate come a few at a time. */
  readonly list: (query: DepositListQuery, affiliateId?: number) => Promise<Listed<string>>;
  readonly page: (
    filters: DepositFilters,
    place?: { after?: PageCursor; limit?: number } & Stale,
  ) => Promise<Listed<DepositPage>>;
  readonly settlements: (
    entityId: number,
    place?: { before?: number; limit?: number } & Stale,
  ) => Promise<Listed<Settlements>>;
  /** From the kept totals: of one casino, or of all. */
  readonly stats: (entityId?: number, place?: Stale) => Promise<Listed<readonly Stat[]>>;
  readonly settlement: (depositId: number) => Promise<Settlement | undefined>;
  /** Past the patience of a list: what the rows show now. */
  readonly isReturningPlayer: (entityId: number, gamblerRef: string) => Promise<boolean>;
  readonly idsWithoutAddress: (currency: Currency, now: Instant) => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

export type DepositReadsOptions = ReadSourceOptions &
  FreshnessParts & { readonly log: Pick<EventLog, 'read' | 'lastRevision' | 'newest'> };

const PAGE = 50;
const SETTLEMENTS = 1_000;

export const openDepositReads = async ({
  pool,
  log,
  patienceMs,
  ...place
}: DepositReadsOptions): Promise<DepositReads> => {
  const source = await openReadSource(place);
  const shown = createShown(pool);
  const shared = shareLists(pool);
  const { fresh, ...freshness } = createFreshness({ projection: depositsProjection, log, pool, patienceMs });
  return {
    byId: createDepositById(shown, log),
    list: (query, affiliateId = 0) => fresh(() => shared(affiliateId, () => listDeposits(pool, query, shown.texts))),
    page: (filters, { stale, ...place } = {}) =>
      fresh(() => pageOfDeposits(source, filters, { limit: PAGE, ...place }), stale),
    settlements: (entityId, { stale, ...place } = {}) =>
      fresh(() => settlementsOf(source, entityId, { limit: SETTLEMENTS, ...place }), stale),
    stats: (entityId, { stale } = {}) => fresh(() => statsOf(pool, entityId), stale),
    settlement: (depositId) => settlementOfDeposit(source, depositId),
    isReturningPlayer: async (entityId, gamblerRef) => {
      await freshness.isUpToDate();
      return isReturningPlayer(source, entityId, gamblerRef);
    },
    idsWithoutAddress: (currency, now) => idsWithoutAddress(source, currency, now),
    ...freshness,
    close: () => source.destroy(),
  };
};
