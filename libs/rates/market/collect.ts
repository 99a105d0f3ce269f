import type { DecimalText, Ticker } from '#money';
import { pause } from '#platform/pause';
import type { RateSource } from '../sources/source.ts';

export type CollectOptions = {
  /** How long a source may take. */
  readonly timeoutMs: number;
  /** How long the others may take once one has answered: a slow source costs this, a dead one too. */
  readonly graceMs: number;
  readonly onTrouble: (source: string, error: unknown) => void;
};

/** What the sources say that answer in time; none is asked in vain for longer than its time-out. */
export const collect = async (
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
