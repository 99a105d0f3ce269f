import { type DecimalText, decimalText } from '#money';
import type { InstantCaps } from '../floor/settings.ts';
import type { InstantTier } from '../floor/words.ts';

export const defaultInstantCaps: InstantCaps = {
  firstUsd: decimalText('500'),
  returningUsd: decimalText('1500'),
  receivedFirstUsd: decimalText('600'),
  receivedReturningUsd: decimalText('1600'),
};

export type InstantTerms = {
  readonly tier: InstantTier;
  readonly quoteMaxUsd: DecimalText;
  readonly receivedMaxUsd: DecimalText;
};

/** The tier is fixed when the quote is issued. */
export const instantTerms = (caps: InstantCaps, returningPlayer: boolean): InstantTerms =>
  returningPlayer
    ? { tier: 'returning', quoteMaxUsd: caps.returningUsd, receivedMaxUsd: caps.receivedReturningUsd }
    : { tier: 'first', quoteMaxUsd: caps.firstUsd, receivedMaxUsd: caps.receivedFirstUsd };
