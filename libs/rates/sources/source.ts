import type { DecimalText, Ticker } from '#money';

/** Who tells what a coin costs. */
export type RateSource = {
  readonly name: string;
  readonly tickers: readonly Ticker[];
  /** USD per coin, above zero, now; throws when it cannot tell. It gives up when the signal says so. */
  readonly price: (ticker: Ticker, signal: AbortSignal) => Promise<DecimalText>;
};
