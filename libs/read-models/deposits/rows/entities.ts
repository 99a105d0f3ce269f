import { EntitySchema, type EntitySchemaColumnOptions, type ValueTransformer } from 'typeorm';
import type { Instant } from '#deposits';
import type { DepositRow, TotalRow } from './row.ts';

const asIs = (value: unknown): unknown => value;

/** Ids and counts fit a double. */
const whole: ValueTransformer = { from: (text: string) => Number(text), to: asIs };

/** As the events write it: ISO 8601 in UTC with milliseconds. */
const instant: ValueTransformer = {
  from: (time: Date | null): Instant | null => time?.toISOString() ?? null,
  to: asIs,
};

const bigint: EntitySchemaColumnOptions = { type: 'bigint', transformer: whole };
const time: EntitySchemaColumnOptions = { type: 'timestamptz', transformer: instant };
const text: EntitySchemaColumnOptions = { type: 'text' };
const flag: EntitySchemaColumnOptions = { type: 'boolean' };
/** Comes back as text, with every digit. */
const decimal: EntitySchemaColumnOptions = { type: 'numeric' };

/** Read alone: rows are written by projections. */
export const depositRows = new EntitySchema<DepositRow>({
  name: 'deposit',
  tableName: 'deposits',
  columns: {
    id: { ...bigint, primary: true },
    transaction_id: bigint,
    affiliate_id: bigint,
    entity_id: bigint,
    gambler_ref: text,
    echoed: { type: 'jsonb' },
    test: flag,
    currency: text,
    wallet: text,
    created_at: time,
    expires_at: time,
    updated_at: time,
    revision: bigint,
    status: text,
    late_payment: flag,
    confirmed_crypto: decimal,
    crypto_amount: decimal,
    usd_amount: decimal,
    player_amount: decimal,
    entity_net_usd: decimal,
    crypto_rate: decimal,
    market_rate: decimal,
    charges: { type: 'jsonb' },
    decision: text,
    decision_at: time,
    decided_by: text,
    return_address: text,
    acceptable: flag,
    kyt_status: text,
    kyt_risk_score: decimal,
    kyt_checked_at: text,
    ofac_status: text,
    no_conf: flag,
    no_conf_state: text,
    double_spent_at: text,
    double_spend_txid: text,
    instant: flag,
    instant_downgraded: flag,
    instant_received_max_usd: decimal,
    confirmed_ever: flag,
    settlement_batch_id: text,
    settlement_withheld: text,
  } satisfies Record<keyof DepositRow, EntitySchemaColumnOptions>,
});

export const totalRows = new EntitySchema<TotalRow>({
  name: 'deposit_total',
  tableName: 'deposit_totals',
  columns: {
    entity_id: { ...bigint, primary: true },
    decision: { ...text, primary: true },
    currency: { ...text, primary: true },
    deposits: bigint,
    entity_net_usd: decimal,
  } satisfies Record<keyof TotalRow, EntitySchemaColumnOptions>,
});
