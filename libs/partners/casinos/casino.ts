import type { AmountLimits, FeeSetting, InstantCaps } from '#deposits';
import { decimalText } from '#money';
import type { Queryable } from '#platform/postgres';
import type { KeyMode } from '../authentication/key-record.ts';
import { feeSettingOf } from './fee-settings.ts';

export const casinoStatuses = ['enabled', 'active', 'disabled'] as const;
export type CasinoStatus = (typeof casinoStatuses)[number];

/** What a deposit needs to know of the casino that takes it. */
export type Casino = {
  readonly id: number;
  readonly affiliateId: number;
  readonly name: string;
  readonly externalCode: string | null;
  readonly status: CasinoStatus;
  readonly mode: KeyMode;
  readonly noConfAllowed: boolean;
  readonly instantAllowed: boolean;
  readonly instantCaps: InstantCaps;
  readonly amountLimits: AmountLimits;
  /** As configured, valid or not; null: not configured. */
  readonly fees: readonly FeeSetting[] | null;
};

type Row = Omit<Casino, 'instantCaps' | 'amountLimits' | 'fees'> & {
  readonly minUsd: string | null;
  readonly maxUsd: string | null;
  readonly firstUsd: string;
  readonly returningUsd: string;
  readonly receivedFirstUsd: string;
  readonly receivedReturningUsd: string;
  readonly fees: readonly unknown[] | null;
};

const CASINO = `
  SELECT id, affiliate_id AS "affiliateId", name, external_code AS "externalCode", status, mode,
         no_conf_allowed AS "noConfAllowed", instant_allowed AS "instantAllowed",
         instant_first_usd AS "firstUsd", instant_returning_usd AS "returningUsd",
         instant_received_first_usd AS "receivedFirstUsd",
         instant_received_returning_usd AS "receivedReturningUsd", min_usd AS "minUsd", max_usd AS "maxUsd", fees
  FROM entities WHERE id = $1`;

const limit = (usd: string | null) => (usd === null ? null : decimalText(usd));

const casinoOf = ({
  firstUsd,
  returningUsd,
  receivedFirstUsd,
  receivedReturningUsd,
  minUsd,
  maxUsd,
  fees,
  ...row
}: Row): Casino => ({
  ...row,
  amountLimits: { minUsd: limit(minUsd), maxUsd: limit(maxUsd) },
  instantCaps: {
    firstUsd: decimalText(firstUsd),
    returningUsd: decimalText(returningUsd),
    receivedFirstUsd: decimalText(receivedFirstUsd),
    receivedReturningUsd: decimalText(receivedReturningUsd),
  },
  fees: fees?.map(feeSettingOf) ?? null,
});

export const findCasino = async (db: Queryable, entityId: number): Promise<Casino | undefined> => {
  if (!Number.isSafeInteger(entityId)) return undefined;
  const { rows } = await db.query<Row>({ name: 'casino_by_id', text: CASINO, values: [entityId] });
  return rows[0] && casinoOf(rows[0]);
};
