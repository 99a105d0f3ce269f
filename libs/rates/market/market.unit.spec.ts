import { describe, expect, it } from '@jest/globals';
import { type DecimalText, decimalText } from '#money';
import { silentLogger } from '#platform/logging';
import type { RateSource } from '../sources/source.ts';
import { agree } from './agree.ts';
import { openMarket } from './market.ts';

type Says = string | Error | 'nothing' | 'nothing, for ever';

/** A source that says what it is told to, and counts how often it is asked. */
const source = (says: Says) => {
  let [asked, now] = [0, says];
  const price = (_: string, signal: AbortSignal): Promise<DecimalText> => {
    asked += 1;
    if (now instanceof Error) return Promise.reject(now);
    if (now === 'nothing, for ever') return new Promise(() => undefined);
    if (now !== 'nothing') return Promise.resolve(decimalText(now));
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  return {
    source: { name: 'test', tickers: ['BTC'], price } satisfies RateSource,
    asked: () => asked,
    say: (next: Says) => {
      now = next;
    },
  };
};

const DEAD = new Error('connection refused');

const market = (...sources: readonly { source: RateSource }[]) => {
  let clock = 0;
  const ask = openMarket({
    sources: sources.map((one) => one.source),
    logger: silentLogger,
    now: () => clock,
    times: { timeoutMs: 200, graceMs: 20 },
  });
  return {
    ask: () => ask('BTC'),
    pass: (ms: number) => {
      clock += ms;
    },
  };
};

const texts = (...prices: string[]) => prices.map(decimalText);

describe('sources together', () => {
  it.each([
    [['100'], { kind: 'price', usd: '100' }],
    [['100', '101'], { kind: 'price', usd: '100.5' }],
    [['102', '100', '100.5'], { kind: 'price', usd: '100.5' }],
    [['0.00000001', '0.0000000102'], { kind: 'price', usd: '0.0000000101' }],
    [['100', '102.01'], { kind: 'disagreement' }],
    [['100', '100', '150'], { kind: 'disagreement' }],
    [[], { kind: 'silence' }],
  ])('that say %j', (prices, verdict) => {
    expect(agree(texts(...prices))).toEqual(verdict);
  });
});

describe('the market', () => {
  it('asks once for many at the same time, and again after a quarter of a minute', async () => {
    const one = source('60000');
    const { ask, pass } = market(one);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(texts('60000', '60000', '60000'));
    one.say('61000');
    pass(14_999);
    expect([await ask(), one.asked()]).toEqual(['60000', 1]);
    pass(1);
    expect([await ask(), one.asked()]).toEqual(['61000', 2]);
  });

  it.each([
    ['that is dead', DEAD],
    ['that says nothing', 'nothing'],
  ] as const)('quotes on without a source %s', async (_, trouble) => {
    const [one, other] = [source('60000'), source(trouble)];
    expect(await market(one, other).ask()).toBe('60000');
    expect(await market(other, one).ask()).toBe('60000');
  });

  it('gives up a source that does not let itself be stopped', async () => {
    expect(await market(source('nothing, for ever')).ask()).toBe('unavailable');
  });

  it('waits for a source that says nothing only a little longer than for the others', async () => {
    const start = performance.now();
    const ask = openMarket({
      sources: [source('60000').source, source('nothing').source],
      logger: silentLogger,
      times: { timeoutMs: 20_000, graceMs: 20 },
    });
    expect(await ask('BTC')).toBe('60000');
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('goes on with its last price while all are silent, but not for longer than two minutes', async () => {
    const [one, other] = [source('60000'), source('60000')];
    const { ask, pass } = market(one, other);
    await ask();
    one.say(DEAD);
    other.say('nothing');
    pass(119_000);
    expect(await ask()).toBe('60000');
    pass(1_001);
    expect(await ask()).toBe('unavailable');
  });

  it('has no price when the sources contradict each other, not even its last one', async () => {
    const [one, other] = [source('60000'), source('60000')];
    const { ask, pass } = market(one, other);
    await ask();
    other.say('70000');
    pass(15_000);
    expect(await ask()).toBe('unavailable');
    one.say(DEAD);
    other.say(DEAD);
    pass(5_000);
    expect(await ask()).toBe('unavailable');
  });

  it('leaves sources in trouble alone for a while, then asks again', async () => {
    const one = source(DEAD);
    const { ask, pass } = market(one);
    await ask();
    expect([await ask(), one.asked()]).toEqual(['unavailable', 1]);
    one.say('60000');
    pass(2_000);
    expect([await ask(), one.asked()]).toEqual(['60000', 2]);
  });

  it('has no price where it has no source', async () => {
    expect(await market().ask()).toBe('unavailable');
    const ask = openMarket({ sources: [source('1').source], logger: silentLogger });
    expect(await ask('MARS')).toBe('unavailable');
  });
});
