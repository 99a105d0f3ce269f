import { echoedView, nothingEchoed } from '#deposits';
import { isShortest, wireNumber } from './wire-number.ts';

type Part = readonly [name: string, sql: string];

const text = (column: string): string => `coalesce(to_json(${column})::text, 'null')`;
const flag = (column: string): string => `${column}::text`;
const time = (column: string): string =>
  `coalesce(to_char(${column} AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""'), 'null')`;

const beforeLate: readonly Part[] = [
  ['id', flag('id')],
  ['transaction_id', flag('transaction_id')],
  ['entity_id', flag('entity_id')],
  ['gambler_ref', text('gambler_ref')],
  ...Object.keys(echoedView(nothingEchoed)).map((name): Part => [name, text(`echoed ->> '${name}'`)]),
  ['created_at', time('created_at')],
  ['updated_at', time('updated_at')],
  ['currency', text('currency')],
  ['wallet', text('wallet')],
  ['status', text('status')],
];

const beforeMoney: readonly Part[] = [
  ['confirmed_crypto', wireNumber('confirmed_crypto')],
  ['expires_at', time('expires_at')],
];

const afterMoney: readonly Part[] = [
  ['decision', text('decision')],
  ['decision_at', time('decision_at')],
  ['return_address', text('return_address')],
  ['acceptable', flag('acceptable')],
  ['kyt_status', text('kyt_status')],
  ['kyt_risk_score', text('kyt_risk_score::text')],
  ['kyt_checked_at', text('kyt_checked_at')],
  ['ofac_status', text('ofac_status')],
  ['double_spent_at', text('double_spent_at')],
  ['double_spend_txid', text('double_spend_txid')],
  ['no_conf', flag('no_conf')],
  ['no_conf_state', text('no_conf_state')],
  ['instant', flag('instant')],
  ['instant_downgraded', flag('instant_downgraded')],
  ['instant_received_max_usd', wireNumber('instant_received_max_usd')],
];

const written = (parts: readonly Part[]): string =>
  parts.map(([name, sql]) => `'"${name}":' || ${sql}`).join(" || ',' || ");

/**
 * The Deposit object of a row, as SQL that makes the text which a partner is sent, in the order of `depositView`: a
 * server of Postgres does on its core what this process would do on its only one. Null where `money` is. Its numbers
 * are those of `asStringified`.
 */
export const DEPOSIT_TEXT = `'{' || ${written(beforeLate)} || CASE WHEN late_payment THEN ',"late_payment":true' ELSE '' END
  || ',' || ${written(beforeMoney)} || ',' || money || ',' || ${written(afterMoney)} || '}'`;

/** Whether the text of a row is as `JSON.stringify` would write it. */
export const IS_SHORTEST = `(${['confirmed_crypto', 'instant_received_max_usd'].map(isShortest).join(' AND ')})`;
