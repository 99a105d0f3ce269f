import { defaultInstantCaps } from '#deposits';
import { amount, fromJsonNumber, toText, toWireNumber } from '#money';
import type { Columns } from './rows.ts';

/** In USD, as operators read and write them. */
export type CapsShown = {
  readonly first_usd: number;
  readonly returning_usd: number;
  readonly received_first_usd: number;
  readonly received_returning_usd: number;
};

export type CapsSent = { readonly [Name in keyof CapsShown]?: CapsShown[Name] | undefined };

/** As Postgres writes numerics. */
export type CapsRow = {
  readonly instant_first_usd: string;
  readonly instant_returning_usd: string;
  readonly instant_received_first_usd: string;
  readonly instant_received_returning_usd: string;
};

export const CAPS_COLUMNS =
  't.instant_first_usd, t.instant_returning_usd, t.instant_received_first_usd, t.instant_received_returning_usd';

export const usdText = (usd: number | undefined): string | undefined => {
  const value = usd === undefined ? undefined : fromJsonNumber(usd);
  return value && toText(value);
};

const defaults: CapsRow = {
  instant_first_usd: defaultInstantCaps.firstUsd,
  instant_returning_usd: defaultInstantCaps.returningUsd,
  instant_received_first_usd: defaultInstantCaps.receivedFirstUsd,
  instant_received_returning_usd: defaultInstantCaps.receivedReturningUsd,
};

/** What is not named stays as it is, which on a new casino is the default; null goes back to the defaults. */
export const capsColumns = (sent: CapsSent | null | undefined): Columns =>
  sent === null
    ? defaults
    : {
        instant_first_usd: usdText(sent?.first_usd),
        instant_returning_usd: usdText(sent?.returning_usd),
        instant_received_first_usd: usdText(sent?.received_first_usd),
        instant_received_returning_usd: usdText(sent?.received_returning_usd),
      };

export const usdShown = (usd: string): number => toWireNumber(amount(usd));

export const capsShown = (row: CapsRow): CapsShown => ({
  first_usd: usdShown(row.instant_first_usd),
  returning_usd: usdShown(row.instant_returning_usd),
  received_first_usd: usdShown(row.instant_received_first_usd),
  received_returning_usd: usdShown(row.instant_received_returning_usd),
});
