import { describe, expect, it } from '@jest/globals';
import { decimalText } from '#money';
import { cutWhoeverWaits } from '../../../test/support/cut-whoever-waits.ts';
import { databasePerTest } from '../../../test/support/with-database.ts';
import { type CreateOutcome, NotBegun, NumbersUnavailable } from '../index.ts';
import {
  deskTables,
  made,
  manyPayments,
  openTestDesk,
  paidAndScreened,
  request,
  type TestDesk,
  type WorldChanges,
} from '../testing/open-desk.ts';
import { watchedLog } from '../testing/watched-log.ts';

const database = databasePerTest(...deskTables);

const open = async (changes: WorldChanges = {}): Promise<TestDesk> =>
  database.closing(await openTestDesk(database.url, changes));

/** An instance whose check of the player takes until it is told to be done. */
const openSlow = async () => {
  const checked = Promise.withResolvers<void>();
  const checking = Promise.withResolvers<void>();
  const slow = await open({
    checkPlayer: async () => {
      checking.resolve();
      await checked.promise;
      return { outcome: 'verified', contactRef: 'a contact' };
    },
  });
  return { slow, checking: checking.promise, check: checked.resolve };
};

const refused = (refusal: string, fields: object = {}) => ({ outcome: 'refused', refusal: { refusal, ...fields } });

/** In one word. */
const wordOf = (created: CreateOutcome): string =>
  created.outcome === 'refused' ? created.refusal.refusal : created.outcome;

describe('creating a deposit', () => {
  it('records quote and address in one append', async () => {
    const desk = await open();
    const { terms, address } = made(await desk.commands.create(request()));
    expect(address).toBe(`BTC address ${terms.depositId}`);
    expect((await desk.eventsOf(terms.depositId)).map(({ type }) => type)).toEqual(['QuoteIssued', 'AddressAssigned']);
  });

  it('makes none, and uses up no id, while the player is not verified or the quote is refused', async () => {
    const desk = await open({ checkPlayer: async () => ({ outcome: 'kyc_required', message: 'a link was sent' }) });
    expect(await desk.commands.create(request())).toEqual({ outcome: 'kyc_required', message: 'a link was sent' });
    const other = await open({ currentRate: async () => 'unavailable' });
    expect(await other.commands.create(request())).toEqual(refused('rate_unavailable', { currency: 'BTC' }));
    expect(await desk.issuedIds()).toEqual([]);
    expect(made(await (await open()).commands.create(request())).terms.depositId).toBe(1);
  });

  it('is refused when the identity check fails, for whatever reason', async () => {
    const desk = await open({ checkPlayer: async () => Promise.reject(new Error('no network')) });
    expect(await desk.commands.create(request())).toEqual(refused('kyc_unavailable'));
  });

  it.each([{ key: null }, { key: 'a key' }])(
    'says that nothing was begun where no connection is free: key $key',
    async ({ key }) => {
      const desk = await open();
      const taken = await Promise.all(Array.from({ length: 10 }, () => desk.pool.connect()));
      await expect(desk.commands.create(request({ key }))).rejects.toBeInstanceOf(NotBegun);
      for (const client of taken) client.release();
      expect(await desk.issuedIds()).toEqual([]);
      expect(made(await desk.commands.create(request({ key }))).terms.depositId).toBe(1);
    },
    20_000,
  );

  it.each([{ key: null }, { key: 'a key' }])(
    'says that nothing was begun where the database is lost while the price is asked for: key $key',
    async ({ key }) => {
      let isLost = true;
      const desk: TestDesk = await open({
        isEnabled: async () => {
          if (isLost) await desk.pool.query('SELECT pg_terminate_backend(pg_backend_pid())');
          return true;
        },
      });
      await expect(desk.commands.create(request({ key }))).rejects.toBeInstanceOf(NotBegun);
      isLost = false;
      expect(await desk.issuedIds()).toEqual([]);
      made(await desk.commands.create(request({ key })));
    },
  );

  it('says that nothing was begun where the database is lost while numbers are taken', async () => {
    const desk = await open();
    const held = await desk.pool.connect();
    await held.query('BEGIN');
    await held.query('ALTER SEQUENCE deposit_ids CACHE 1');
    const failed = expect(desk.commands.create(request())).rejects.toBeInstanceOf(NotBegun);
    await cutWhoeverWaits(desk.pool);
    await failed;
    await held.query('ROLLBACK');
    held.release();
    expect(await desk.issuedIds()).toEqual([]);
  });

  it('says no more that nothing was made once the deposit is recorded, whatever fails behind that', async () => {
    const takeAddressWithin = () => Promise.reject(new NumbersUnavailable('nobody may take one now'));
    const desk = await open({ takeAddress: async () => undefined, takeAddressWithin });
    const failed = expect(desk.commands.create(request())).rejects;
    await failed.not.toBeInstanceOf(NumbersUnavailable);
    await failed.toThrow('a part of it is recorded: nobody may take one now');
    expect(await desk.issuedIds()).toEqual([1]);
  });

  it('without an address in time the deposit exists without one, and the call is refused', async () => {
    const noAddress = async () => undefined;
    const desk = await open({ takeAddress: noAddress, takeAddressWithin: noAddress });
    expect(await desk.commands.create(request())).toEqual(refused('no_address'));
    expect(await desk.issuedIds()).toEqual([1]);
    const assign = (address: string) => desk.commands.assignAddress({ depositId: 1, address, actor: 'test' });
    expect(await assign('late address')).toMatchObject({ outcome: 'applied', deposit: { address: 'late address' } });
    expect(await assign('another address')).toEqual(refused('address_already_assigned'));
    expect(await desk.eventsOf(1)).toMatchObject([{}, { type: 'AddressAssigned', data: { address: 'late address' } }]);
  });

  it('waits for an address and answers with it', async () => {
    const desk = await open({ takeAddress: async () => undefined });
    expect(made(await desk.commands.create(request())).address).toBe('BTC address 1');
  });
});

describe('creating fast deposits', () => {
  it('of 24 at once over two instances exactly one comes to be, the others learn which blocks them', async () => {
    const [one, other] = [await open(), await open()];
    const calls = Array.from({ length: 24 }, (_, nth) =>
      (nth % 2 === 0 ? one : other).commands.create(request({ noConf: true })),
    );
    const results = await Promise.all(calls);
    const ids = await one.issuedIds();
    expect(ids).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1);
    const others = results.filter(({ outcome }) => outcome !== 'applied' && outcome !== 'busy');
    for (const result of others)
      expect(result).toMatchObject(refused('fast_deposit_unconfirmed', { blockingDepositId: ids[0] }));
  });

  it('a call that dies between the lane and the deposit leaves one that the next look completes', async () => {
    const healthy = await open();
    const dying = await open({
      takeAddress: async () => Promise.reject(new Error('killed')),
    });
    await expect(dying.commands.create(request({ noConf: true }))).rejects.toThrow('killed');
    expect(await healthy.issuedIds()).toEqual([]);
    expect(await healthy.commands.create(request({ noConf: true }))).toMatchObject(
      refused('fast_deposit_unconfirmed', { blockingDepositId: 1, blockingStatus: 'Pending' }),
    );
    expect(await healthy.issuedIds()).toEqual([1]);
  });

  it('behind one of many payments, a partner has its history read once at a time', async () => {
    const desk = await open();
    const { terms } = made(await desk.commands.create(request({ noConf: true })));
    await desk.commands.applySignals(terms.depositId, manyPayments(), 'engine');
    const { log, mostAtOnce } = watchedLog(desk.log);
    const { commands } = await open({ log });
    const blocked = () => commands.create(request({ noConf: true }));
    expect(await blocked()).toMatchObject(refused('fast_deposit_unconfirmed'));
    const others = await Promise.all(Array.from({ length: 8 }, blocked));
    for (const result of others) expect(result).toMatchObject(refused('fast_deposit_unconfirmed'));
    expect(mostAtOnce()).toBe(1);
  });

  it('blocks neither standard deposits, nor other players, nor the next one after a confirmation', async () => {
    const desk = await open();
    const create = (changes: Parameters<typeof request>[0]) => desk.commands.create(request(changes));
    const { terms, quotedCrypto } = made(await create({ noConf: true }));
    await create({});
    await create({ noConf: true, gamblerRef: 'p-2' });
    expect(await create({ instant: true })).toMatchObject(refused('fast_deposit_unconfirmed'));
    await desk.commands.applySignals(terms.depositId, paidAndScreened({ txid: 't', amount: quotedCrypto }), 'engine');
    expect(made(await create({ instant: true })).terms.instant).toBe(true);
  });
});

describe('Idempotency-Key', () => {
  it('gives the same deposit for the same body, at once and later, on any instance', async () => {
    const [one, other] = [await open(), await open()];
    const asked = request({ key: 'k', noConf: true });
    const calls = [one, other, one, other].map((desk) => desk.commands.create(asked));
    const first = (await Promise.all(calls)).map((created) => made(created));
    const again = made(await other.commands.create(asked));
    expect(new Set([...first, again].map(({ terms }) => terms.depositId)).size).toBe(1);
    expect(new Set([...first, again].map(({ address }) => address)).size).toBe(1);
    expect(await one.issuedIds()).toHaveLength(1);
  });

  it('reads no more of a long history than it answers, and all of another', async () => {
    const desk = await open();
    const { log, given } = watchedLog(desk.log);
    const { commands } = await open({ log });
    const asked = request({ key: 'k' });
    const { terms, amounts, address } = made(await desk.commands.create(asked));
    const { depositId } = terms;
    await desk.commands.applySignals(depositId, paidAndScreened({ txid: 't', amount: '0.001' }), 'engine');
    expect(made(await commands.create(asked))).toMatchObject({ terms, amounts, address, payments: [] });
    expect(given()).toBe((await desk.eventsOf(depositId)).length);
    await desk.commands.applySignals(depositId, manyPayments(), 'engine');
    expect(made(await commands.create(asked))).toMatchObject({ terms, amounts, address, payments: [] });
    expect(given()).toBe(64);
  });

  it('refuses another body, while the first call is still under way too', async () => {
    const { slow, checking, check } = await openSlow();
    const desk = await open();
    const first = slow.commands.create(request({ key: 'k' }));
    await checking;
    expect(await desk.commands.create(request({ key: 'k', gamblerRef: 'p-2' }))).toEqual(
      refused('key_of_another_body'),
    );
    check();
    await first;
    expect(await desk.commands.create(request({ key: 'k', gamblerRef: 'p-3' }))).toEqual(
      refused('key_of_another_body'),
    );
    expect(await desk.issuedIds()).toHaveLength(1);
  });

  it('stays with its body while one of its calls is refused and another is still under way', async () => {
    const { slow, checking, check } = await openSlow();
    const refusing = await open({ currentRate: async () => 'unavailable' });
    const under = slow.commands.create(request({ key: 'k' }));
    await checking;
    expect(await refusing.commands.create(request({ key: 'k' }))).toMatchObject(refused('rate_unavailable'));
    const other = request({ key: 'k', gamblerRef: 'p-2' });
    expect(await refusing.commands.create(other)).toEqual(refused('key_of_another_body'));
    check();
    const { terms } = made(await under);
    expect(made(await slow.commands.create(request({ key: 'k' }))).terms.depositId).toBe(terms.depositId);
    expect(await slow.issuedIds()).toEqual([terms.depositId]);
  });

  it('stays with its body while one of its calls is under way, also when its 24 hours end meanwhile', async () => {
    const { slow, checking, check } = await openSlow();
    const desk = await open();
    const under = slow.commands.create(request({ key: 'k' }));
    await checking;
    await desk.pool.query("UPDATE idempotency_keys SET created_at = now() - interval '24 hours'");
    expect(await desk.commands.create(request({ key: 'k', gamblerRef: 'p-2' }))).toEqual(
      refused('key_of_another_body'),
    );
    const { terms } = made(await desk.commands.create(request({ key: 'k' })));
    check();
    expect(made(await under).terms.depositId).toBe(terms.depositId);
    expect(await desk.issuedIds()).toEqual([terms.depositId]);
  });

  it('makes one deposit a key, however calls of two bodies fail and race', async () => {
    let asked = 0;
    const flaky = { currentRate: async () => (++asked % 3 === 0 ? ('unavailable' as const) : decimalText('50000')) };
    const two = [await open(flaky), await open(flaky)] as const;
    const calls = Array.from({ length: 32 }, (_, nth) =>
      two[nth % 2 === 0 ? 0 : 1].commands.create(request({ key: 'k', gamblerRef: `p-${(nth >> 1) % 2}` })),
    );
    const words = (await Promise.all(calls)).map(wordOf);
    expect(await two[0].issuedIds()).toHaveLength(1);
    expect(words.filter((word) => !['applied', 'key_of_another_body', 'rate_unavailable'].includes(word))).toEqual([]);
  });

  it('keeps no refusal: the key is free for another try and another body', async () => {
    let rate = 'unavailable' as Awaited<ReturnType<NonNullable<WorldChanges['currentRate']>>>;
    const desk = await open({ currentRate: async () => rate });
    expect(await desk.commands.create(request({ key: 'k' }))).toMatchObject(refused('rate_unavailable'));
    rate = request().amount;
    const { terms } = made(await desk.commands.create(request({ key: 'k', gamblerRef: 'p-2' })));
    expect(terms.gamblerRef).toBe('p-2');
  });

  it('after a crash in between makes no second deposit', async () => {
    const dying = await open({ takeAddress: async () => Promise.reject(new Error('killed')) });
    const asked = request({ key: 'k', noConf: true });
    await expect(dying.commands.create(asked)).rejects.toThrow('killed');
    const healthy = await open({ currentRate: async () => decimalText('60000') });
    const { amounts, terms } = made(await healthy.commands.create(asked));
    expect(await healthy.issuedIds()).toEqual([terms.depositId]);
    // What the lane took down is what was agreed.
    expect(amounts.marketRate).toBe('50000');
  });

  it('after a missing address is refused until the deposit has one', async () => {
    const noAddress = async () => undefined;
    const desk = await open({ takeAddress: noAddress, takeAddressWithin: noAddress });
    const asked = request({ key: 'k' });
    for (const _ of [1, 2]) expect(await desk.commands.create(asked)).toEqual(refused('no_address'));
    await desk.commands.assignAddress({ depositId: 1, address: 'late address', actor: 'test' });
    expect(made(await desk.commands.create(asked))).toMatchObject({ address: 'late address', terms: { depositId: 1 } });
    expect(await desk.issuedIds()).toEqual([1]);
  });

  it('is forgotten only when its 24 hours have long ended', async () => {
    const desk = await open();
    const kept = async (): Promise<readonly string[]> => {
      await desk.commands.pruneIdempotencyKeys();
      const { rows } = await desk.pool.query<{ key: string }>('SELECT key FROM idempotency_keys ORDER BY key');
      return rows.map(({ key }) => key);
    };
    for (const [key, hours] of [
      ['new', 0],
      ['of today', 23],
      ['of yesterday', 47],
      ['of long ago', 49],
    ] as const) {
      await desk.commands.create(request({ key }));
      await desk.pool.query(
        `UPDATE idempotency_keys SET created_at = now() - ${hours} * interval '1 hour' WHERE key = $1`,
        [key],
      );
    }
    expect(await kept()).toEqual(['new', 'of today', 'of yesterday']);
  });

  it('belongs to one affiliate', async () => {
    const desk = await open();
    await desk.commands.create(request({ key: 'k' }));
    const { caller } = request();
    await desk.commands.create(request({ key: 'k', gamblerRef: 'p-2', caller: { ...caller, affiliateId: 2 } }));
    expect(await desk.issuedIds()).toHaveLength(2);
  });
});
