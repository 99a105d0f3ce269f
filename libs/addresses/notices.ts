import { EventEmitter, once } from 'node:events';
import { setTimeout as later } from 'node:timers/promises';
import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';

export type AvailableListener = (currency: Ticker) => void;

/** Tells on this instance that a pool may have addresses again. */
export type Notices = {
  readonly tell: (currency: Ticker) => void;
  readonly listen: (listener: AvailableListener) => void;
  /** Resolves at the next notice of that currency, after `ms`, or when all is closed. */
  readonly wait: (currency: Ticker, ms: number) => Promise<void>;
  readonly closed: () => boolean;
  readonly close: () => void;
};

export const createNotices = (logger: Logger): Notices => {
  const bell = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  const listeners: AvailableListener[] = [];

  const tellOne = (listener: AvailableListener, currency: Ticker): void => {
    try {
      listener(currency);
    } catch (error) {
      logger.error({ err: error, currency }, 'a listener for addresses failed');
    }
  };

  return {
    tell: (currency) => {
      bell.emit(currency);
      for (const listener of listeners) tellOne(listener, currency);
    },
    listen: (listener) => {
      listeners.push(listener);
    },
    wait: async (currency, ms) => {
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, closing.signal]);
      const quietly = (): undefined => undefined;
      await Promise.race([
        once(bell, currency, { signal }).catch(quietly),
        later(ms, undefined, { signal }).catch(quietly),
      ]);
      over.abort();
    },
    closed: () => closing.signal.aborted,
    close: () => closing.abort(),
  };
};
