import { describe, expect, it } from '@jest/globals';
import {
  type Body,
  casinoOf,
  echoedFields,
  newCasino,
  newKey,
  type Service,
  setPlayer,
  unique,
  uniquePhone,
  verdict,
} from '../harness/index.ts';

const keyed = (key: string) => ({ 'Idempotency-Key': key });

export const idempotency = (service: Service): void => {
  describe('Idempotency-Key', () => {
    it('makes one deposit of the same order, and gives the same answer', async () => {
      const casino = await newCasino(service);
      const order = casino.order(await casino.player());
      const key = keyed(unique('order'));
      const first = await casino.create(order, key);
      const second = await casino.create(order, key);
      expect(verdict(first)).toMatchObject({ status: 'ok' });
      expect([second.status, second.body]).toEqual([200, first.body]);
      expect((await casino.deposits()).total).toBe(1);
    });

    it('makes one deposit of many calls at once', async () => {
      const casino = await newCasino(service);
      const order = casino.order(await casino.player());
      const key = keyed(unique('order'));
      const answers = await Promise.all(Array.from({ length: 12 }, () => casino.create(order, key)));
      const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.deposit_id);
      expect(new Set(made).size).toBe(1);
      for (const { status } of answers) expect([200, 409, 503]).toContain(status);
      expect((await casino.deposits()).total).toBe(1);
    });

    it('is not needed: without one each call makes a deposit', async () => {
      const casino = await newCasino(service);
      const order = casino.order(await casino.player());
      await casino.create(order);
      await casino.create(order);
      expect((await casino.deposits()).total).toBe(2);
    });

    it.each<[string, Body]>([
      ['amount', { amount: 101 }],
      ['currency', { currency: 'LTC' }],
      ['email', { email: 'other@example.com' }],
      ['phone', { phone: uniquePhone() }],
      ...echoedFields.map((field): [string, Body] => [field, { [field]: 'another' }]),
    ])('refuses another order under the same key: %s', async (_, fields) => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const key = keyed(unique('order'));
      await casino.create(casino.order(player), key);
      const answer = await casino.create(casino.order(player, fields), key);
      expect(verdict(answer)).toEqual({ status: 422, detail: expect.stringMatching(/./) });
      expect((await casino.deposits()).total).toBe(1);
    });

    it('holds within an affiliate, for all of its keys', async () => {
      const casino = await newCasino(service);
      const order = casino.order(await casino.player());
      const name = unique('order');
      const first = await casino.create(order, keyed(name));
      const { affiliateId, entityId } = casino;
      const sibling = casinoOf(service, affiliateId, entityId, await newKey(service, affiliateId));
      expect((await sibling.create(order, keyed(name))).body).toEqual(first.body);
      const stranger = await newCasino(service);
      const other = await stranger.create(stranger.order(await stranger.player()), keyed(name));
      expect(verdict(other)).toMatchObject({ status: 'ok' });
      expect(other.body.deposit_id).not.toBe(first.body.deposit_id);
    });

    it('keeps no KYC answer', async () => {
      const casino = await newCasino(service);
      const player = { gambler_ref: unique('stranger'), phone: uniquePhone() };
      const key = keyed(unique('order'));
      expect(verdict(await casino.create(casino.order(player), key))).toMatchObject({ status: 'kyc_required' });
      await setPlayer(service, { entity_id: casino.entityId, kyc: 'verified', ...player });
      expect(verdict(await casino.create(casino.order(player), key))).toMatchObject({ status: 'ok' });
    });

    it('keeps no refusal', async () => {
      const casino = await newCasino(service, { entity: { fees: null } });
      const order = casino.order(await casino.player());
      const key = keyed(unique('order'));
      expect(verdict(await casino.create(order, key))).toMatchObject({ status: 500 });
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, { fees: [] });
      expect(verdict(await casino.create(order, key))).toMatchObject({ status: 'ok' });
    });

    it('gives the answer of then, whatever became of the deposit', async () => {
      const casino = await newCasino(service);
      const order = casino.order(await casino.player(), { no_conf: true });
      const key = keyed(unique('order'));
      const first = await casino.create(order, key);
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, {
        fees: [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.5 }],
      });
      expect((await casino.create(order, key)).body).toEqual(first.body);
    });

    it('has 1 to 255 printable characters', async () => {
      const casino = await newCasino(service);
      const order = casino.order(await casino.player());
      const longest = unique('order').padEnd(255, '~');
      expect(verdict(await casino.create(order, keyed(longest)))).toMatchObject({ status: 'ok' });
      for (const name of [`${longest}x`, '']) {
        const { status } = await casino.create(order, keyed(name));
        expect([name.length, status >= 400 && status < 500]).toEqual([name.length, true]);
      }
    });
  });
};
