import { usdShown, usdText } from './instant-caps.ts';
import type { Columns } from './rows.ts';

/** What a quote may come to, in USD; null: no limit. */
export type LimitsShown = { readonly min_usd: number | null; readonly max_usd: number | null };

export type LimitsSent = { readonly [Name in keyof LimitsShown]?: LimitsShown[Name] | undefined };

/** As Postgres writes numerics. */
export type LimitsRow = { readonly min_usd: string | null; readonly max_usd: string | null };

const textOf = (usd: number | null | undefined): string | null | undefined => (usd === null ? null : usdText(usd));

export const limitsColumns = ({ min_usd, max_usd }: LimitsSent): Columns => ({
  min_usd: textOf(min_usd),
  max_usd: textOf(max_usd),
});

const shown = (usd: string | null): number | null => (usd === null ? null : usdShown(usd));

export const limitsShown = ({ min_usd, max_usd }: LimitsRow): LimitsShown => ({
  min_usd: shown(min_usd),
  max_usd: shown(max_usd),
});

/** The network passes on no output below some hundreds of the smallest unit, which is a good part of a dollar. */
const DUST_USD = 1;

/** One sentence for each limit that will surprise. */
export const limitWarnings = ({ min_usd, max_usd }: LimitsShown): string[] => [
  ...(min_usd !== null && min_usd < DUST_USD
    ? [`min_usd: below ${DUST_USD} USD a coin may carry no such amount: it would be dust, which no network passes on`]
    : []),
  ...(min_usd !== null && max_usd !== null && min_usd > max_usd
    ? ['min_usd is above max_usd: no deposit can be made']
    : []),
];
