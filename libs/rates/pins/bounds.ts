import { amount, type DecimalText } from '#money';

const FURTHEST = '0.2';

/** A wrong price turns money elsewhere as surely as a wrong address: how far one may be pinned from the known one. */
const isTooFar = (usd: DecimalText, known: DecimalText): boolean =>
  amount(usd).minus(amount(known)).abs().greaterThan(amount(known).times(FURTHEST));

export type Bounds = {
  readonly hasProviders: boolean;
  /** What they say; undefined: nothing. */
  readonly market: DecimalText | undefined;
};

/**
 * Where bounded pins are counted from: what an admin pinned or the providers said, and only where nobody ever did, the
 * first pin. It is never one of the bounded pins that followed, so that many small steps lead no further than one.
 */
export type Anchor = { readonly usd: DecimalText; readonly byAdmin: boolean };

/** The last price that was pinned. */
export type Last = {
  readonly usd: DecimalText;
  readonly anchor: Anchor;
  /** The anchor is not a day old. */
  readonly isFresh: boolean;
};

type Known = {
  readonly prices: readonly DecimalText[];
  /** Left out: the one that is, as old as it is. */
  readonly anchor?: Anchor;
};

/** What they say now goes before an anchor that is a day old, and where nothing is pinned before any. */
const isOfProviders = (before: DecimalText | null | undefined, last: Last | undefined): boolean =>
  before === undefined || !last?.isFresh;

/** While providers say nothing, what is not in force and was told more than a day ago is not known any more. */
const isForgotten = ({ hasProviders }: Bounds, before: DecimalText | null | undefined, last: Last): boolean =>
  hasProviders && !before && !last.isFresh;

/** Undefined: no price is known. */
const knownOf = (
  bounds: Bounds,
  usd: DecimalText,
  before: DecimalText | null | undefined,
  last: Last | undefined,
): Known | undefined => {
  const { hasProviders, market } = bounds;
  if (market !== undefined && isOfProviders(before, last))
    return { prices: [market], anchor: { usd: market, byAdmin: false } };
  if (!last) return hasProviders ? undefined : { prices: [], anchor: { usd, byAdmin: false } };
  if (isForgotten(bounds, before, last)) return undefined;
  const now = market === undefined || last.anchor.byAdmin ? [] : [market];
  return { prices: [before ?? last.usd, last.anchor.usd, ...now] };
};

/** Undefined: too far from what is known. Whoever is not bounded makes known what he pins. */
export const allowedPin = (
  bounds: Bounds | undefined,
  usd: DecimalText,
  before: DecimalText | null | undefined,
  last: Last | undefined,
): Pick<Known, 'anchor'> | undefined => {
  if (!bounds) return { anchor: { usd, byAdmin: true } };
  const known = knownOf(bounds, usd, before, last);
  return known?.prices.every((price) => !isTooFar(usd, price)) ? known : undefined;
};
