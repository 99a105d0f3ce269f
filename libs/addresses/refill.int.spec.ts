import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { tickers } from '#money';
import { databasePerTest } from '../../test/support/with-database.ts';
import { deriverOf } from './derivation/derive.ts';
import { accountKeys, makeMnemonic } from './derivation/first-start.ts';
import { scriptOf } from './derivation/script-of.ts';
import { NoExtendedKey } from './index.ts';
import { FIRST_KEY_PURPOSE } from './keys/first-key.ts';
import { addressesTables, BY_HAND, openTestAddresses, type TestAddresses } from './testing/open-test-addresses.ts';

const ZPUB =
  'zpub6qyTYMBt1YH7hQuWTMhocAR8hnhBJwtT56VjMBJDGT7JpcXc64Qafb3Hy9aXzoTxeqGVP463SnZGT3Yg6MwcbTmGiMYreSm8SrHrXXecQrM';

const database = databasePerTest(...addressesTables);

const open = async (marks = { lowWater: 30, highWater: 60 }): Promise<TestAddresses> =>
  database.closing(await openTestAddresses(database.url, marks));

const freeOf = async ({ pools }: TestAddresses, ticker: string) =>
  (await pools()).find((row) => row.ticker === ticker)?.free;

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
};

const indexesOf = async ({ db }: TestAddresses, currency: string): Promise<number[]> => {
  const { rows } = await db.query<{ index: number }>(
    'SELECT derivation_index AS index FROM pool_addresses WHERE currency = $1 ORDER BY 1',
    [currency],
  );
  return rows.map(({ index }) => index);
};

describe('the first start', () => {
  it('makes one key, also of many starts at once, and fills every pool from it', async () => {
    const instances = await Promise.all([open(), open(), open()]);
    const [one] = instances;
    if (!one) throw new Error('none was opened');
    await until(async () =>
      (await Promise.all(tickers.map((ticker) => freeOf(one, ticker)))).every((free) => free === 60),
    );
    expect(await one.take('BTC', 1)).toMatch(/^bc1q/);
    expect(await one.take('LTC', 2)).toMatch(/^ltc1q/);
    expect(await one.take('ETH', 3)).toMatch(/^0x/);
    expect(await one.takeForTransaction('DASH', 4, 0)).toMatch(/^X/);
    expect(await one.takeForTransaction('MARS', 5, 0)).toMatch(/^M/);
    expect(await one.takeForTransaction('BCH', 6, 0)).toMatch(/^bitcoincash:q/);
    const keys = await Promise.all(instances.map(({ keys }) => keys()));
    expect(new Set(keys.map((list) => list.map(({ xpub }) => xpub).join())).size).toBe(1);
    expect((await one.db.query('SELECT FROM derivation_keys')).rowCount).toBe(6);
  });

  it('keeps its mnemonic sealed, and with it all that was derived', async () => {
    const { db, secrets, keys } = await open();
    const { rows } = await db.query<{ mnemonic: Buffer }>('SELECT mnemonic FROM first_start_key');
    const sealed = rows[0]?.mnemonic ?? Buffer.alloc(0);
    const mnemonic = secrets.open(FIRST_KEY_PURPOSE, sealed);
    expect(mnemonic.split(' ')).toHaveLength(12);
    expect(sealed.toString('latin1')).not.toContain(mnemonic);
    expect((await keys()).map(({ xpub }) => xpub)).toEqual((await accountKeys(mnemonic)).map(({ xpub }) => xpub));
  });

  it('gives a currency that came with a later release its account below the same mnemonic', async () => {
    const { db, keys } = await open(BY_HAND);
    const before = await keys();
    await db.query("DELETE FROM derivation_keys WHERE currency = 'DASH'");
    expect(await (await open(BY_HAND)).keys()).toEqual(before);
  });

  it('is not made where nobody asked for a demonstration: no address, until a key is configured', async () => {
    const addresses = database.closing(await openTestAddresses(database.url, { demo: false }));
    expect((await addresses.db.query('SELECT FROM first_start_key')).rowCount).toBe(0);
    expect(await addresses.take('BTC', 1)).toBeUndefined();
    await addresses.configureKey({ currency: 'BTC', xpub: ZPUB, note: null, actor: 'test' });
    expect(await addresses.take('BTC', 1)).toMatch(/^bc1q/);
    expect(await addresses.take('LTC', 2)).toBeUndefined();
  });

  it('gives nothing more once the demonstration is over', async () => {
    const before = await open();
    const given = await before.take('BTC', 1);
    // The one that was given came before the sixty were there, or out of them.
    await until(async () => ((await freeOf(before, 'BTC')) ?? 0) >= 59);
    await before.close();
    const after = database.closing(await openTestAddresses(database.url, { demo: false }));
    expect([await after.take('BTC', 1), await after.take('BTC', 2)]).toEqual([given, undefined]);
    const again = await open();
    expect(await again.take('BTC', 2)).toMatch(/^bc1q/);
  });

  it('serves a deposit before the pool had time to fill', async () => {
    const { take } = await open();
    expect(await take('BTC', 1)).toMatch(/^bc1q/);
  });
});

describe('a pool', () => {
  it('is filled again as it is used, each index once, by two instances', async () => {
    const [one, other] = [await open(), await open()];
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, id) => (id % 2 ? one : other).takeWithin('LTC', id + 1, 20_000)),
    );
    expect(new Set(taken).size).toBe(200);
    expect(taken).not.toContain(undefined);
    await until(async () => ((await freeOf(one, 'LTC')) ?? 0) >= 30);
    await Promise.all([one.close(), other.close()]);
    const third = await open();
    const indexes = await indexesOf(third, 'LTC');
    expect(indexes).toEqual(Array.from(indexes, (_, place) => place));
    expect((await third.pools()).find(({ ticker }) => ticker === 'LTC')).toMatchObject({ taken: 200 });
  });

  it('hands out what operators added before what was derived', async () => {
    const addresses = await open();
    await until(async () => (await freeOf(addresses, 'BTC')) === 60);
    await addresses.add('BTC', ['by-hand'], 'test');
    expect(await addresses.take('BTC', 1)).toBe('by-hand');
    expect(await addresses.take('BTC', 2)).toMatch(/^bc1q/);
  });

  it('gives nothing away while it is not available, though more could be derived', async () => {
    const addresses = await open({ lowWater: 1, highWater: 1 });
    await addresses.setAvailable('BTC', false, 'test');
    expect(await addresses.takeWithin('BTC', 1, 100)).toBeUndefined();
    expect((await addresses.pools()).at(0)).toMatchObject({ available: false, taken: 0 });
  });

  it('steps over an address that came by hand before it was derived', async () => {
    const addresses = await open({ lowWater: 0, highWater: 0 });
    await addresses.configureKey({ currency: 'BTC', xpub: ZPUB, note: null, actor: 'test' });
    const derive = deriverOf('BTC', ZPUB);
    await addresses.add('BTC', [derive(1)], 'test');
    const filling = await open({ lowWater: 3, highWater: 3 });
    const taken: (string | undefined)[] = [];
    for (const id of [1, 2, 3]) taken.push(await filling.takeWithin('BTC', id, 20_000));
    expect(taken).toEqual([derive(1), derive(0), derive(2)]);
    expect((await filling.pools()).at(0)).toMatchObject({ taken: 3 });
  });
});

describe("an operator's extended public key", () => {
  it('takes the place of the first one at once: nothing goes out any more that the old one derived', async () => {
    const addresses = await open();
    await until(async () => (await freeOf(addresses, 'BTC')) === 60);
    const before = await addresses.take('BTC', 1);
    await addresses.configureKey({ currency: 'BTC', xpub: ZPUB, note: 'cold wallet', actor: 'operator token 3' });
    expect(await addresses.take('BTC', 2)).toBe('bc1qyadz4029a7rnas4g55upr6dygnsnxvl2jj0lls');
    expect(await addresses.take('BTC', 1)).toBe(before);
    expect(await addresses.keys()).toEqual([
      expect.objectContaining({ ticker: 'BTC', xpub: ZPUB, origin: 'operator', note: 'cold wallet' }),
      ...['LTC', 'ETH', 'DASH', 'MARS', 'BCH'].map((ticker) =>
        expect.objectContaining({ ticker, origin: 'first start' }),
      ),
    ]);
    const { rows } = await addresses.db.query(
      "SELECT before ->> 'xpub' <> after ->> 'xpub' AS changed FROM audit_trail WHERE actor = 'operator token 3'",
    );
    expect(rows).toEqual([{ changed: true }]);
  });

  it('goes on where it stopped when it is configured again', async () => {
    const addresses = await open();
    const [first] = await addresses.keys();
    const derived = [await addresses.take('BTC', 1)];
    await addresses.configureKey({ currency: 'BTC', xpub: ZPUB, note: null, actor: 'test' });
    await addresses.take('BTC', 2);
    await addresses.configureKey({ currency: 'BTC', xpub: first?.xpub ?? '', note: null, actor: 'test' });
    derived.push(await addresses.take('BTC', 3));
    const derive = deriverOf('BTC', first?.xpub ?? '');
    expect(derived).toEqual([derive(0), derive(1)]);
  });

  it('is refused without a trace when it is none', async () => {
    const addresses = await open();
    const attempt = addresses.configureKey({ currency: 'ETH', xpub: ZPUB, note: null, actor: 'operator token 3' });
    await expect(attempt).rejects.toThrow(NoExtendedKey);
    const { rowCount } = await addresses.db.query("SELECT FROM audit_trail WHERE actor = 'operator token 3'");
    expect(rowCount).toBe(0);
  });
});

describe('an address that was added by hand in another spelling', () => {
  it('is not derived beside it', async () => {
    const key = (await accountKeys(makeMnemonic())).find(({ currency }) => currency === 'BCH');
    if (!key) throw new Error('no key for BCH');
    const derived = deriverOf('BCH', key.xpub)(0);
    const hash = hexToBytes(scriptOf('BCH', derived)?.slice(6, 46) ?? '');
    const legacy = createBase58check(sha256).encode(Uint8Array.of(0, ...hash));
    const byHand = await open(BY_HAND);
    await byHand.add('BCH', [legacy], 'test');
    await byHand.configureKey({ currency: 'BCH', xpub: key.xpub, note: null, actor: 'test' });
    const filling = await open();
    await until(async () => Number(await freeOf(filling, 'BCH')) >= 30);
    const { rows } = await filling.db.query(
      "SELECT address FROM pool_addresses WHERE currency = 'BCH' AND NOT retired",
    );
    const addresses = rows.map(({ address }) => address);
    expect([addresses.includes(legacy), addresses.includes(derived)]).toEqual([true, false]);
  });
});
