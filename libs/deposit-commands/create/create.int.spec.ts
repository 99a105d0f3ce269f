import { describe, expect, it } from '@jest/globals';
import { decimalText } from '#money';
import { databasePerTest } from '../../../test/support/with-database.ts';
import type { Created } from '../index.ts';
import {
  deskTables,
  openTestDesk,
  paidAndScreened,
  request,
  type TestDesk,
  type WorldChanges,
} from '../testing/open-desk.ts';

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
      return { status: 'verified', contactRef: 'a contact' };
    },
  });
  return { slow, checking: checking.promise, check: checked.resolve };
};

const made = (created: Created) => {
  if (created.status !== 'ok') throw new Error(created.message);
  return created.deposit;
};

const statusOf = (result: PromiseSettledResult<unknown>): number =>
  result.status === 'fulfilled' ? 200 : (result.reason as { status: number }).status;

describe('creating a deposit', () => {
  it('records quote and address in one append', async () => {
    const desk = await open();
    const { terms, address } = made(await desk.commands.create(request()));
    expect(address).toBe(`BTC address ${terms.depositId}`);
    expect((await desk.eventsOf(terms.depositId)).map(({ type }) => type)).toEqual(['QuoteIssued', 'AddressAssigned']);
  });

  it('makes none, and uses up no id, while the player is not verified or the quote is refused', async () => {
    const desk = await open({ checkPlayer: async () => ({ status: 'kyc_required', message: 'a link was sent' }) });
    expect(await desk.commands.create(request())).toEqual({ status: 'kyc_required', message: 'a link was sent' });
    const other = await open({ currentRate: async () => 'unavailable' });
    await expect(other.commands.create(request())).rejects.toMatchObject({ status: 502 });
    expect(await desk.issuedIds()).toEqual([]);
    expect(made(await (await open()).commands.create(request())).terms.depositId).toBe(1);
  });

  it('answers 503 when the identity check fails, for whatever reason', async () => {
    const desk = await open({ checkPlayer: async () => Promise.reject(new Error('no network')) });
    await expect(desk.commands.create(request())).rejects.toMatchObject({ status: 503 });
  });

  it('without an address in time the deposit exists without one, and the call fails', async () => {
    const noAddress = async () => undefined;
    const desk = await open({ takeAddress: noAddress, takeAddressWithin: noAddress });
    await expect(desk.commands.create(request())).rejects.toMatchObject({
      status: 500,
      body: { detail: 'Failed to create casino deposit' },
    });
    expect(await desk.issuedIds()).toEqual([1]);
    expect(await desk.commands.assignAddress(1, 'late address')).toBe(true);
    expect(await desk.commands.assignAddress(1, 'another address')).toBe(false);
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
    const results = await Promise.allSettled(calls);
    const ids = await one.issuedIds();
    expect(ids).toHaveLength(1);
    const statuses = results.map(statusOf);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 200 && status !== 409 && status !== 503)).toEqual([]);
    const blocked = results.filter((result) => statusOf(result) === 409);
    for (const result of blocked)
      expect(result).toMatchObject({
        reason: { body: { code: 'fast_deposit_unconfirmed', blocking_deposit_id: ids[0] } },
      });
  });

  it('a call that dies between the lane and the deposit leaves one that the next look completes', async () => {
    const healthy = await open();
    const dying = await open({
      takeAddress: async () => Promise.reject(new Error('killed')),
    });
    await expect(dying.commands.create(request({ noConf: true }))).rejects.toMatchObject({ status: 500 });
    expect(await healthy.issuedIds()).toEqual([]);
    await expect(healthy.commands.create(request({ noConf: true }))).rejects.toMatchObject({
      status: 409,
      body: { blocking_deposit_id: 1, blocking_status: 'Pending' },
    });
    expect(await healthy.issuedIds()).toEqual([1]);
  });

  it('blocks neither standard deposits, nor other players, nor the next one after a confirmation', async () => {
    const desk = await open();
    const create = (changes: Parameters<typeof request>[0]) => desk.commands.create(request(changes));
    const { terms, quotedCrypto } = made(await create({ noConf: true }));
    await create({});
    await create({ noConf: true, gamblerRef: 'p-2' });
    await expect(create({ instant: true })).rejects.toMatchObject({ status: 409 });
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

  it('refuses another body with 422, while the first call is still under way too', async () => {
    const { slow, checking, check } = await openSlow();
    const desk = await open();
    const first = slow.commands.create(request({ key: 'k' }));
    await checking;
    await expect(desk.commands.create(request({ key: 'k', gamblerRef: 'p-2' }))).rejects.toMatchObject({ status: 422 });
    check();
    await first;
    await expect(desk.commands.create(request({ key: 'k', gamblerRef: 'p-3' }))).rejects.toMatchObject({ status: 422 });
    expect(await desk.issuedIds()).toHaveLength(1);
  });

  it('stays with its body while one of its calls is refused and another is still under way', async () => {
    const { slow, checking, check } = await openSlow();
    const refusing = await open({ currentRate: async () => 'unavailable' });
    const under = slow.commands.create(request({ key: 'k' }));
    await checking;
    await expect(refusing.commands.create(request({ key: 'k' }))).rejects.toMatchObject({ status: 502 });
    const other = request({ key: 'k', gamblerRef: 'p-2' });
    await expect(refusing.commands.create(other)).rejects.toMatchObject({ status: 422 });
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
    await expect(desk.commands.create(request({ key: 'k', gamblerRef: 'p-2' }))).rejects.toMatchObject({ status: 422 });
    const { terms } = made(await desk.commands.create(request({ key: 'k' })));
    check();
    expect(made(await under).terms.depositId).toBe(terms.depositId);
    expect(await desk.issuedIds()).toEqual([terms.depositId]);
  });

  it('makes one deposit a key, however calls of two bodies fail and race', async () => {
    let asked = 0;
    const flaky = { currentRate: async () => (++asked % 3 === 0 ? ('unavailable' as const) : decimalText('50000')) };
    const two = [await open(flaky), await open(flaky)];
    const calls = Array.from({ length: 32 }, (_, nth) =>
      two[nth % 2]?.commands.create(request({ key: 'k', gamblerRef: `p-${(nth >> 1) % 2}` })),
    );
    const statuses = (await Promise.allSettled(calls)).map(statusOf);
    expect(await two[0]?.issuedIds()).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 422, 502].includes(status))).toEqual([]);
  });

  it('keeps no refusal: the key is free for another try and another body', async () => {
    let rate = 'unavailable' as Awaited<ReturnType<NonNullable<WorldChanges['currentRate']>>>;
    const desk = await open({ currentRate: async () => rate });
    await expect(desk.commands.create(request({ key: 'k' }))).rejects.toMatchObject({ status: 502 });
    rate = request().amount;
    const { terms } = made(await desk.commands.create(request({ key: 'k', gamblerRef: 'p-2' })));
    expect(terms.gamblerRef).toBe('p-2');
  });

  it('after a crash in between makes no second deposit', async () => {
    const dying = await open({ takeAddress: async () => Promise.reject(new Error('killed')) });
    const asked = request({ key: 'k', noConf: true });
    await expect(dying.commands.create(asked)).rejects.toMatchObject({ status: 500 });
    const healthy = await open({ currentRate: async () => decimalText('60000') });
    const { amounts, terms } = made(await healthy.commands.create(asked));
    expect(await healthy.issuedIds()).toEqual([terms.depositId]);
    // What the lane took down is what was agreed.
    expect(amounts.marketRate).toBe('50000');
  });

  it('after the 500 of a missing address answers 500 until the deposit has one', async () => {
    const noAddress = async () => undefined;
    const desk = await open({ takeAddress: noAddress, takeAddressWithin: noAddress });
    const asked = request({ key: 'k' });
    for (const _ of [1, 2]) await expect(desk.commands.create(asked)).rejects.toMatchObject({ status: 500 });
    await desk.commands.assignAddress(1, 'late address');
    expect(made(await desk.commands.create(asked))).toMatchObject({ address: 'late address', terms: { depositId: 1 } });
    expect(await desk.issuedIds()).toEqual([1]);
  });

  it('belongs to one affiliate', async () => {
    const desk = await open();
    await desk.commands.create(request({ key: 'k' }));
    const { caller } = request();
    await desk.commands.create(request({ key: 'k', gamblerRef: 'p-2', caller: { ...caller, affiliateId: 2 } }));
    expect(await desk.issuedIds()).toHaveLength(2);
  });
});
