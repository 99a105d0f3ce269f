import type { ChainNode } from '#chains';
import { timeOf, type WatchParts } from '../parts.ts';

/** A node that is loaded says so with one of the next turns. */
const LASTS_MS = 60_000;

/** Says once that too few others have a word on what may count unconfirmed: nothing else shows that nothing does. */
export const createUnvouched = (parts: WatchParts) => {
  const { chain, logger } = parts;
  let since: number | undefined;
  let isTold = false;

  const tell = (speechless: readonly ChainNode[]): void =>
    logger.warn(
      { alert: 'chain_unvouched', chain: chain.coin, nodes: speechless.map(({ name }) => name), agree: chain.agree },
      'for a minute too few other nodes have said whether a payment may count unconfirmed: each waits for its block',
    );

  return (asked: readonly ChainNode[], speechless: readonly ChainNode[]): void => {
    if (speechless.length === 0 || 1 + asked.length - speechless.length >= chain.agree) {
      since = undefined;
      isTold = false;
      return;
    }
    const now = timeOf(parts).getTime();
    since ??= now;
    if (isTold || now - since < LASTS_MS) return;
    isTold = true;
    tell(speechless);
  };
};
