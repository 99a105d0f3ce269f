import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export type Exchange = {
  readonly baseUrl: string;
  /** The paths it was asked for. */
  readonly asked: readonly string[];
  /** Instead of prices. */
  readonly behave: (answer: (request: IncomingMessage, response: ServerResponse) => void) => void;
  readonly close: () => Promise<void>;
};

/** As the two public interfaces answer, recorded in their documentation. */
const PRICES: Readonly<Record<string, [name: string, price: string]>> = {
  XBTUSD: ['XXBTZUSD', '60123.40000'],
  LTCUSD: ['XLTCZUSD', '81.55000'],
  ETHUSD: ['XETHZUSD', '2512.07'],
  DASHUSD: ['DASHUSD', '30.1230'],
  BCHUSD: ['BCHUSD', '401.00'],
};

const krakenAnswer = (pair: string): object => {
  const [name, price] = PRICES[pair] ?? [];
  if (name === undefined) return { error: ['EQuery:Unknown asset pair'] };
  const around = { a: ['60123.50000', '1', '1.000'], b: ['60123.40000', '1', '1.000'], o: '59000.00000' };
  return { error: [], result: { [name]: { ...around, c: [price, '0.00100000'], v: ['1.0', '2.0'] } } };
};

const coinbaseAnswer = (ticker: string): object => {
  const [, price] = PRICES[ticker === 'BTC' ? 'XBTUSD' : `${ticker}USD`] ?? [];
  return { data: { amount: price, base: ticker, currency: 'USD' } };
};

const answerTo = (path: string): object => {
  const ticker = /^\/v2\/prices\/([A-Z]+)-USD\/spot$/.exec(path)?.[1];
  return ticker === undefined
    ? krakenAnswer(new URL(path, 'http://exchange').searchParams.get('pair') ?? '')
    : coinbaseAnswer(ticker);
};

export const startExchange = async (): Promise<Exchange> => {
  const asked: string[] = [];
  let behave = (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(request.url ?? '')));
  };
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    behave(request, response);
  });
  return {
    baseUrl: await listening(server),
    asked,
    behave: (answer) => {
      behave = answer;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
