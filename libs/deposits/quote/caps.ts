import { type DecimalText, decimalText } from '#money';

/** Per casino: what an instant quote may come to, and what may be received on it. */
export type InstantCaps = {
  readonly firstUsd: DecimalText;
  readonly returningUsd: DecimalText;
  readonly receivedFirstUsd: DecimalText;
  readonly receivedReturningUsd: DecimalText;
};

export const defaultInstantCaps: InstantCaps = {
  firstUsd: decimalText('500'),
  returningUsd: decimalText('1500'),
  receivedFirstUsd: decimalText('600'),
  receivedReturningUsd: decimalText('1600'),
};

export type InstantTerms = {
  readonly tier: 'first' | 'returning';
  readonly quoteMaxUsd: DecimalText;
  readonly receivedMaxUsd: DecimalText;
};

/** The tier is fixed when the quote is issued. */
export const instantTerms = (caps: InstantCaps, returningPlayer: boolean): InstantTerms =>
  returningPlayer
    ? { tier: 'returning', quoteMaxUsd: caps.returningUsd, receivedMaxUsd: caps.receivedReturningUsd }
    : { tier: 'first', quoteMaxUsd: caps.firstUsd, receivedMaxUsd: caps.receivedFirstUsd };
