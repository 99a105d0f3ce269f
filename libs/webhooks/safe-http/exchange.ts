import type { Dispatcher } from 'undici';
import { onAbort } from './break-off.ts';
import { startExcerpt } from './excerpt.ts';

/** What came of a request: an answer, as far as it came, or why there was none. */
export type Exchanged =
  | {
      readonly answered: true;
      readonly statusCode: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly excerpt: string;
    }
  | { readonly answered: false; readonly error: unknown };

export type Place = { readonly origin: string; readonly path: string };

export type Exchange = {
  readonly dispatcher: Dispatcher;
  readonly place: Place;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Over everything, from the look-up to the end of the answer. */
  readonly timeLimitMs: number;
  readonly signal: AbortSignal | undefined;
};

export class TimeLimitPassed extends Error {}
export class BrokenOff extends Error {}

type Begun = { readonly statusCode: number; readonly headers: Dispatcher.ResponseData['headers'] };

/**
 * One request, without what the client's own convenience costs per request: no stream is made of the answer. Of a long
 * answer the rest is left unread and its connection closed; one that breaks off or does not end has answered all the
 * same, with what has come, since only the status decides.
 */
export const exchange = ({ dispatcher, place, headers, body, timeLimitMs, signal }: Exchange): Promise<Exchanged> => {
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const excerpt = startExcerpt();
  let begun: Begun | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let over = false;

  const end = (error?: unknown): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    forget();
    resolve(begun ? { answered: true, ...begun, excerpt: excerpt.text() } : { answered: false, error });
  };
  const giveUp = (why: Error): void => {
    end(why);
    controller?.abort(why);
  };
  const breakOff = (): void => giveUp(new BrokenOff());
  const timer = setTimeout(() => giveUp(new TimeLimitPassed()), timeLimitMs);
  const forget = onAbort(signal, breakOff);
  if (signal?.aborted) breakOff();

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (given) => {
      controller = given;
      // Given up while it waited for its connection: it is not sent.
      if (over) given.abort(new BrokenOff());
    },
    onResponseStart: (_, statusCode, answered) => {
      // What comes before the answer, such as 103, is none.
      if (statusCode >= 200) begun = { statusCode, headers: answered };
    },
    onResponseData: (_, chunk) => {
      if (!over && excerpt.add(chunk)) giveUp(new BrokenOff());
    },
    onResponseEnd: () => end(),
    onResponseError: (_, error) => end(error),
  };
  try {
    dispatcher.dispatch({ ...place, method: 'POST', headers, body }, handler);
  } catch (error) {
    end(error);
  }
  return promise;
};
