import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeRateSource } from '../contract/index.ts';
import { type Exchange, startExchange } from '../testing/fake-exchange.ts';
import { coinbase } from './coinbase.ts';
import { kraken } from './kraken.ts';
import { simulatedRates } from './simulated.ts';

let standing: Exchange;

beforeAll(async () => {
  standing = await startExchange();
});

afterAll(() => standing.close());

describeRateSource('the simulated one', simulatedRates);
describeRateSource('Kraken', () => kraken({ baseUrl: standing.baseUrl }));
describeRateSource('Coinbase', () => coinbase({ baseUrl: standing.baseUrl }));

describe.each([
  ['Kraken', kraken, (price: string) => `{"error":[],"result":{"XXBTZUSD":{"c":[${price},"0.1"]}}}`],
  ['Coinbase', coinbase, (price: string) => `{"data":{"amount":${price},"base":"BTC","currency":"USD"}}`],
] as const)('%s', (_, open, bodyWith) => {
  let exchange: Exchange;

  beforeEach(async () => {
    exchange = await startExchange();
  });

  afterEach(() => exchange.close());

  const ask = (signal = new AbortController().signal) => open({ baseUrl: exchange.baseUrl }).price('BTC', signal);
  const answer = (text: string, status = 200) =>
    exchange.behave((__, response: ServerResponse) => void response.writeHead(status).end(text));

  it('is believed to the last digit', async () => {
    answer(bodyWith('"60000.12345678901234567890"'));
    expect(await ask()).toBe('60000.1234567890123456789');
  });

  it.each(['"0"', '"0.00"', '"-1"', '"1e5"', '"NaN"', '""', 'null', '60000', '{}'])(
    'tells no price with %s',
    async (price) => {
      answer(bodyWith(price));
      await expect(ask()).rejects.toThrow('no price');
    },
  );

  it.each(['', '<html>', '[]', 'null', '{"data":[]}', '{"error":["EService:Unavailable"]}'])(
    'tells no price by answering %j',
    async (text) => {
      answer(text);
      await expect(ask()).rejects.toThrow();
    },
  );

  it('tells no price with an error, nor by sending elsewhere', async () => {
    answer(bodyWith('"60000"'), 503);
    await expect(ask()).rejects.toThrow('503');
    exchange.behave((request, response) => {
      response.writeHead(302, { location: `${standing.baseUrl}${request.url}` }).end();
    });
    await expect(ask()).rejects.toThrow();
  });

  it('is not listened to for ever', async () => {
    const padding = ' '.repeat(10_000);
    let written = 0;
    exchange.behave((__, response) => {
      const more = (): void => {
        while (response.writable && !response.destroyed && response.write(padding)) written += padding.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await expect(ask()).rejects.toThrow('larger than 65536 bytes');
    expect(written).toBeGreaterThan(65_536);
  });

  it('is given up when the time is over, also in the middle of an answer', async () => {
    exchange.behave((__, response) => void response.writeHead(200).write('{"data":'));
    const start = performance.now();
    await expect(ask(AbortSignal.timeout(50))).rejects.toThrow('timeout');
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('a source', () => {
  it('that answers for another coin or pair is not believed', async () => {
    const exchange = await startExchange();
    const signal = new AbortController().signal;
    exchange.behave((_, response) => void response.end('{"data":{"amount":"1","base":"BCH","currency":"USD"}}'));
    await expect(coinbase(exchange).price('BTC', signal)).rejects.toThrow('something else');
    exchange.behave((_, response) => void response.end('{"error":[],"result":{"A":{"c":["1"]},"B":{"c":["2"]}}}'));
    await expect(kraken(exchange).price('BTC', signal)).rejects.toThrow('more than the one pair');
    await exchange.close();
  });
});
