import { afterEach, describe, expect, it } from '@jest/globals';
import { BrokenHistory } from '#event-log';
import type { Currency } from '#money';
import { createLog } from '#platform/logging';
import type { Repeated } from '#platform/repeat';
import { startAddressCompletion } from './complete-addresses.ts';

let running: Repeated | undefined;

afterEach(async () => running?.stop());

/** A pool of addresses and the deposits that wait for one, in memory. */
const house = ({ everyMs = 60_000 } = {}) => {
  const free = new Map<Currency, string[]>();
  const waiting = new Map<Currency, number[]>();
  const assigned = new Map<number, string>();
  const damaged = new Set<number>();
  const told: Record<string, unknown>[] = [];
  const { logger } = createLog({ level: 'info', to: { write: (line) => told.push(JSON.parse(line)) } });
  let [broken, tell] = [undefined as Currency | undefined, (): void => undefined];
  let [looks, seen] = [0, Promise.withResolvers<void>()];
  const start = (): void => {
    running = startAddressCompletion({
      idsWithoutAddress: async (currency) => {
        if (currency === 'ETH') {
          looks += 1;
          seen.resolve();
          seen = Promise.withResolvers<void>();
        }
        if (currency === broken) throw new Error('no database');
        return [...(waiting.get(currency) ?? [])].filter((id) => !assigned.has(id));
      },
      takeAddress: async (currency) => free.get(currency)?.shift(),
      assignAddress: async ({ depositId, address }) => {
        if (damaged.has(depositId)) throw new BrokenHistory(`stream deposit-${depositId} is not as it was written`);
        assigned.set(depositId, address);
      },
      onAvailable: (listener) => {
        tell = () => listener('BTC');
      },
      logger,
      everyMs,
    });
  };
  return {
    start,
    told,
    damage: (depositId: number) => damaged.add(depositId),
    breakDown: (currency: Currency) => {
      broken = currency;
    },
    wait: (currency: Currency, ...ids: number[]) => waiting.set(currency, ids),
    fill: (currency: Currency, ...addresses: string[]) => free.set(currency, addresses),
    tell: () => tell(),
    /** Until the pools have been looked at this many times. */
    looked: async (times: number) => {
      while (looks < times) await seen.promise;
      await new Promise(setImmediate);
    },
    assigned: () => Object.fromEntries(assigned),
  };
};

describe('deposits that found the pool empty', () => {
  it('get an address as soon as the pool has one again, those that expire first before the others', async () => {
    const { start, wait, fill, tell, looked, assigned } = house();
    wait('BTC', 7, 9, 8);
    start();
    await looked(1);
    expect(assigned()).toEqual({});
    fill('BTC', 'first', 'second');
    tell();
    await looked(2);
    expect(assigned()).toEqual({ 7: 'first', 9: 'second' });
  });

  it('get one that another instance added, of which nothing was heard here', async () => {
    const { start, wait, fill, looked, assigned } = house({ everyMs: 5 });
    wait('LTC', 3);
    start();
    await looked(1);
    fill('LTC', 'added elsewhere');
    await looked(3);
    expect(assigned()).toEqual({ 3: 'added elsewhere' });
  });

  it('are served in one currency while another cannot be looked at', async () => {
    const { start, breakDown, wait, fill, looked, assigned } = house();
    breakDown('BTC');
    wait('ETH', 5);
    fill('ETH', 'of ETH');
    start();
    await looked(1);
    expect(assigned()).toEqual({ 5: 'of ETH' });
  });

  it('are served behind one whose history is damaged, which is told once', async () => {
    const { start, damage, told, wait, fill, looked, assigned } = house({ everyMs: 5 });
    wait('BTC', 7, 8);
    damage(7);
    fill('BTC', 'of 7', 'of 8', 'of 7 again', 'and again');
    start();
    await looked(3);
    expect(assigned()).toEqual({ 8: 'of 8' });
    expect(told).toMatchObject([{ level: 50, alert: 'address_not_assigned', deposit_id: 7 }]);
  });
});
