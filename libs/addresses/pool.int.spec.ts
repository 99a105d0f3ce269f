import { setTimeout as later } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { databasePerTest } from '../../test/support/with-database.ts';
import { addressesTables, BY_HAND, openTestAddresses, type TestAddresses } from './testing/open-test-addresses.ts';

const database = databasePerTest(...addressesTables);
let addresses: TestAddresses;

const open = async (): Promise<TestAddresses> => database.closing(await openTestAddresses(database.url, BY_HAND));

beforeEach(async () => {
  addresses = await open();
});

const some = (count: number): string[] => Array.from({ length: count }, (_, place) => `address-${place}`);
const deposits = (count: number): number[] => Array.from({ length: count }, (_, place) => place + 1);

describe('a deposit', () => {
  it('gets the oldest address, and the same one every time it asks', async () => {
    await addresses.add('BTC', some(3), 'test');
    expect(await addresses.take('BTC', 1)).toBe('address-0');
    expect(await addresses.take('BTC', 2)).toBe('address-1');
    expect(await addresses.take('BTC', 1)).toBe('address-0');
    expect(await addresses.ownerOf('address-1')).toEqual({ depositId: 2 });
    expect(await addresses.ownerOf('address-2')).toBeUndefined();
  });

  it('gets one address also when it asks many times at once, on two instances', async () => {
    await addresses.add('BTC', some(20), 'test');
    const other = await open();
    const asked = [addresses, other].flatMap(({ take }) => Array.from({ length: 8 }, () => take('BTC', 1)));
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    expect((await addresses.pools()).at(0)).toMatchObject({ ticker: 'BTC', free: 19, taken: 1 });
  });

  it('never shares its address, of 24 that ask at once on two instances', async () => {
    await addresses.add('BTC', some(24), 'test');
    const other = await open();
    const taken = await Promise.all(deposits(24).map((id) => (id % 2 ? addresses : other).take('BTC', id)));
    expect(new Set(taken)).toEqual(new Set(some(24)));
    expect(await addresses.take('BTC', 25)).toBeUndefined();
  });

  it('gets none of another currency', async () => {
    await addresses.add('LTC', some(1), 'test');
    expect(await addresses.take('BTC', 1)).toBeUndefined();
  });

  it('is found by its address in any case that means the same', async () => {
    await addresses.add('ETH', ['0x9858EfFD232B4033E47d90003D41EC34EcaEda94'], 'test');
    expect(await addresses.take('ETH', 7)).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
    expect(await addresses.ownerOf('0x9858effd232b4033e47d90003d41ec34ecaeda94')).toEqual({ depositId: 7 });
    expect(await addresses.ownerOf('0x9858EfFD232B4033E47d90003D41EC34EcaEda94')).toEqual({ depositId: 7 });
  });
});

describe('a transaction of the older interface', () => {
  it('gets an address of the same pool, and shares neither it nor its number with a deposit', async () => {
    await addresses.add('BTC', some(3), 'test');
    expect(await addresses.take('BTC', 1)).toBe('address-0');
    expect(await addresses.takeForTransaction('BTC', 1, 0)).toBe('address-1');
    expect(await addresses.takeForTransaction('BTC', 1, 0)).toBe('address-1');
    expect(await addresses.ownerOf('address-1')).toEqual({ transactionId: 1 });
    expect((await addresses.pools()).at(0)).toMatchObject({ ticker: 'BTC', free: 1, taken: 2 });
  });

  it('is found by a CashAddr with its prefix or without, shouted or not', async () => {
    await addresses.add('BCH', ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'], 'test');
    await addresses.takeForTransaction('BCH', 9, 0);
    expect(await addresses.ownerOf('QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A')).toEqual({ transactionId: 9 });
  });
});

describe('addresses that are added', () => {
  const refused = (refusal: string, ...named: string[]) => ({
    outcome: 'refused',
    refusal: { refusal, addresses: named },
  });

  it('are refused together when one of them is known, free or given away, for any currency, and it is named', async () => {
    await addresses.add('BTC', ['bc1qfree', 'bc1qgone'], 'test');
    await addresses.take('BTC', 1);
    const outcome = await addresses.add('LTC', ['new', 'BC1QFREE', 'bc1qgone'], 'test');
    expect(outcome).toEqual(refused('known', 'BC1QFREE', 'bc1qgone'));
    expect(await addresses.add('LTC', ['new'], 'test')).toEqual({ outcome: 'applied', added: 1 });
  });

  it('are refused when one is listed twice, in whatever case', async () => {
    const one = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
    const outcome = await addresses.add('ETH', [one, 'other', one.toLowerCase()], 'test');
    expect(outcome).toEqual(refused('repeated', one));
  });

  it.each([
    ['LTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'MQMHBtvnBfxTzt3K2bdxgSE7qZPHSXWsGM'],
    ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
    ['BCH', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ] as const)('of %s are refused in another spelling of what is paid, and beside it', async (currency, one, other) => {
    expect(await addresses.add(currency, [one, other], 'test')).toEqual(refused('repeated', one));
    expect(await addresses.add(currency, [one], 'test')).toEqual({ outcome: 'applied', added: 1 });
    expect(await addresses.add(currency, [other], 'test')).toEqual(refused('known', other));
  });

  it('are recorded with who added them', async () => {
    await addresses.add('BTC', some(2), 'operator token 3');
    const { rows } = await addresses.db.query(
      "SELECT actor, subject_id, after FROM audit_trail WHERE subject = 'address_pool'",
    );
    expect(rows).toEqual([{ actor: 'operator token 3', subject_id: 'BTC', after: { added: some(2) } }]);
  });
});

describe('a pool that is not available', () => {
  it('gives nothing away, on no instance, until it is again; a deposit keeps what it has', async () => {
    const other = await open();
    await addresses.add('BTC', some(3), 'test');
    await addresses.take('BTC', 1);
    await addresses.setAvailable('BTC', false, 'operator token 3');
    expect(await Promise.all([addresses.take('BTC', 2), other.take('BTC', 2)])).toEqual([undefined, undefined]);
    expect(await other.take('BTC', 1)).toBe('address-0');
    await other.setAvailable('BTC', true, 'operator token 3');
    expect(await addresses.take('BTC', 2)).toBe('address-1');
    const { rows } = await addresses.db.query("SELECT before, after FROM audit_trail WHERE after ? 'available'");
    expect(rows).toEqual([
      { before: { available: true }, after: { available: false } },
      { before: { available: false }, after: { available: true } },
    ]);
  });
});

describe('a deposit that waits', () => {
  it('goes without when none comes in its time', async () => {
    const start = performance.now();
    expect(await addresses.takeWithin('BTC', 1, 300)).toBeUndefined();
    expect(performance.now() - start).toBeGreaterThanOrEqual(299);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('gets the one that is added meanwhile, here at once and elsewhere soon', async () => {
    const other = await open();
    const waiting = [addresses.takeWithin('BTC', 1, 20_000), other.takeWithin('BTC', 2, 20_000)];
    const told: string[] = [];
    addresses.onAvailable((currency) => told.push(currency));
    await addresses.add('BTC', some(2), 'test');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(some(2)));
    expect(told).toEqual(['BTC']);
  });

  it('gets one when its pool is made available', async () => {
    await addresses.setAvailable('BTC', false, 'test');
    await addresses.add('BTC', some(1), 'test');
    const waiting = addresses.takeWithin('BTC', 1, 20_000);
    const told: string[] = [];
    addresses.onAvailable((currency) => told.push(currency));
    const first = await Promise.race([waiting, later(50, 'still waiting')]);
    await addresses.setAvailable('BTC', true, 'test');
    expect([first, await waiting]).toEqual(['still waiting', 'address-0']);
    expect(told).toEqual(['BTC']);
  });

  it('is let go when the service stops', async () => {
    const waiting = addresses.takeWithin('BTC', 1, 600_000);
    await addresses.close();
    expect(await waiting).toBeUndefined();
  });
});
