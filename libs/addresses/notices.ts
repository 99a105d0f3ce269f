import { EventEmitter } from 'node:events';
import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';
import { eventWithin } from '#platform/pause';

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
    wait: (currency, ms) => eventWithin(bell, currency, ms, closing.signal),
    closed: () => closing.signal.aborted,
    close: () => closing.abort(),
  };
};
