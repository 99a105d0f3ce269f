import type { DecimalText, Ticker } from '#money';
import type { Logger } from '#platform/logging';
import { pause } from '#platform/pause';
import type { RateSource } from '../sources/source.ts';
import { agree, type Verdict } from './agree.ts';

type CollectOptions = {
  /** How long a source may take. */
  readonly timeoutMs: number;
  /** How long the others may take once one has answered: a slow source costs this, a dead one too. */
  readonly graceMs: number;
  readonly onTrouble: (source: string, error: unknown) => void;
};

/** What the sources say that answer in time; none is asked in vain for longer than its time-out. */
const collect = async (
  sources: readonly RateSource[],
  ticker: Ticker,
  { timeoutMs, graceMs, onTrouble }: CollectOptions,
): Promise<readonly DecimalText[]> => {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)]);
  const told: DecimalText[] = [];

  const asked = sources.map(async (source) => told.push(await source.price(ticker, signal)));
  asked.forEach((answer, index) => {
    answer.catch((error: unknown) => {
      if (!over.signal.aborted) onTrouble(sources[index]?.name ?? '', error);
    });
  });
  const first = Promise.any(asked);
  const grace = first.then(() => pause(graceMs, over.signal));
  await Promise.race([
    Promise.allSettled(asked),
    grace.catch(() => Promise.allSettled(asked)),
    pause(timeoutMs, over.signal),
  ]);
  over.abort();
  return [...told];
};

export type MarketTimes = {
  /** A price is asked for again after this. */
  readonly freshMs: number;
  /** A price stands in for silent sources no longer than this. */
  readonly staleMs: number;
  /** After trouble the sources are left alone this long, or a burst of requests would become a burst on them. */
  readonly troubleMs: number;
  readonly timeoutMs: number;
  readonly graceMs: number;
};

const TIMES: MarketTimes = { freshMs: 15_000, staleMs: 120_000, troubleMs: 2_000, timeoutMs: 3_000, graceMs: 1_000 };

export type MarketOptions = {
  readonly sources: readonly RateSource[];
  readonly logger: Logger;
  readonly now?: () => number;
  readonly times?: Partial<MarketTimes>;
};

/** What the providers say now. */
export type Market = (ticker: Ticker) => Promise<DecimalText | 'unavailable'>;

type Asked = { readonly at: number; readonly verdict: Promise<Verdict>; goodForMs: number };
type Good = { readonly at: number; readonly usd: DecimalText };

/** Callers at the same time share one question. A price is as old as the question that fetched it. */
export const openMarket = ({ sources, logger, now = () => performance.now(), times = {} }: MarketOptions): Market => {
  const { freshMs, staleMs, troubleMs, ...patience } = { ...TIMES, ...times };
  const asked = new Map<Ticker, Asked>();
  const good = new Map<Ticker, Good>();

  const question = async (ticker: Ticker, at: number): Promise<Verdict> => {
    const onTrouble = (source: string, error: unknown): void =>
      logger.warn({ source, ticker, err: error }, 'a source of rates does not answer');
    const known = sources.filter((source) => source.tickers.includes(ticker));
    const verdict = agree(await collect(known, ticker, { ...patience, onTrouble }));
    if (verdict.kind === 'price') good.set(ticker, { at, usd: verdict.usd });
    if (verdict.kind === 'disagreement') {
      good.delete(ticker);
      logger.error({ ticker }, 'the sources of rates contradict each other: no quotes until they agree');
    }
    return verdict;
  };

  const ask = (ticker: Ticker): Asked => {
    const at = now();
    const made: Asked = { at, verdict: question(ticker, at), goodForMs: Number.POSITIVE_INFINITY };
    void made.verdict.then(({ kind }) => {
      made.goodForMs = kind === 'price' ? freshMs : now() - at + troubleMs;
    });
    asked.set(ticker, made);
    return made;
  };

  return async (ticker) => {
    const last = asked.get(ticker);
    const { verdict } = last && now() - last.at < last.goodForMs ? last : ask(ticker);
    const told = await verdict;
    switch (told.kind) {
      case 'price':
        return told.usd;
      case 'disagreement':
        return 'unavailable';
      case 'silence': {
        const earlier = good.get(ticker);
        return earlier && now() - earlier.at <= staleMs ? earlier.usd : 'unavailable';
      }
    }
  };
};
