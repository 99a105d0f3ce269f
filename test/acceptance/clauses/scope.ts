import { describe, expect, it } from '@jest/globals';
import {
  type Answer,
  casinoOf,
  newCasino,
  newEntity,
  newKey,
  partnerOf,
  type Service,
  verdict,
} from '../harness/index.ts';
import { endpoints } from './authentication.ts';

const insufficient = { status: 403, detail: 'Insufficient permissions for this endpoint' };
const scopedElsewhere = { status: 403, detail: 'API key is scoped to a different entity' };
const noEntity = { status: 404, detail: 'Entity not found for this affiliate' };
const disabled = { status: 403, detail: "Entity status is 'disabled', must be 'active' or 'enabled'" };
const noDeposit = { status: 404, detail: 'Deposit not found' };

const verdicts = async (answers: readonly Promise<Answer>[]) => (await Promise.all(answers)).map(verdict);

/** An affiliate with two casinos, and a key that is locked to the first. */
const twoCasinos = async (service: Service) => {
  const wide = await newCasino(service);
  const other = await newEntity(service, wide.affiliateId);
  const made = await newKey(service, wide.affiliateId, { entity_id: wide.entityId });
  const elsewhere = await newKey(service, wide.affiliateId, { entity_id: other });
  return {
    wide,
    locked: casinoOf(service, wide.affiliateId, wide.entityId, made),
    elsewhere: casinoOf(service, wide.affiliateId, other, elsewhere),
    other,
  };
};

export const scope = (service: Service): void => {
  describe('a terminal key', () => {
    it.each(endpoints)('is refused: %s %s', async (method, path) => {
      const { call } = await newCasino(service, { key: { scope: 'terminal' } });
      expect(verdict(await call(method, path))).toEqual(insufficient);
    });

    it('of a disabled affiliate is refused for the affiliate', async () => {
      const casino = await newCasino(service, { key: { scope: 'terminal' } });
      await service.operator('PATCH', `/operator/affiliates/${casino.affiliateId}`, { status: 'disabled' });
      expect(verdict(await casino.describe())).toEqual({ status: 403, detail: 'Affiliate account is disabled' });
    });
  });

  describe('a key that is locked to one casino', () => {
    it('creates and lists there', async () => {
      const { locked } = await twoCasinos(service);
      const { id } = await locked.deposit();
      expect(await locked.deposits()).toMatchObject({ total: 1, deposits: [{ id }] });
    });

    it('is refused another casino: create, list, test-webhook', async () => {
      const { locked, other } = await twoCasinos(service);
      const answers = [
        locked.create(locked.order(await locked.player(), { entity_id: other })),
        locked.list(`?entity_id=${other}`),
        locked.call('POST', '/casino/integration/test-webhook', {
          json: { entity_id: other, event: 'deposit.received' },
        }),
      ];
      expect(await verdicts(answers)).toEqual([scopedElsewhere, scopedElsewhere, scopedElsewhere]);
    });

    it('is refused an unknown casino for its lock, not for the casino', async () => {
      const { locked } = await twoCasinos(service);
      const answers = [
        locked.create(locked.order(await locked.player(), { entity_id: 999_999_999 })),
        locked.list('?entity_id=999999999'),
      ];
      expect(await verdicts(answers)).toEqual([scopedElsewhere, scopedElsewhere]);
    });

    it('finds no deposit of another casino: read, accept, return, freeze', async () => {
      const { wide, elsewhere } = await twoCasinos(service);
      const { id } = await wide.deposit();
      const path = `/casino/deposit/${id}`;
      const answers = [
        elsewhere.call('GET', path),
        elsewhere.call('POST', `${path}/accept`),
        elsewhere.call('POST', `${path}/return`, { json: { return_address: 'x' } }),
        elsewhere.call('POST', `${path}/freeze`),
      ];
      expect(await verdicts(answers)).toEqual([noDeposit, noDeposit, noDeposit, noDeposit]);
    });
  });

  describe('an affiliate', () => {
    it('does not find the casinos of another, nor one that is not there', async () => {
      const [mine, theirs] = [await newCasino(service), await newCasino(service)];
      const player = await mine.player();
      for (const entity of [theirs.entityId, 999_999_999]) {
        const answers = [
          mine.create(mine.order(player, { entity_id: entity })),
          mine.list(`?entity_id=${entity}`),
          mine.call('POST', '/casino/integration/test-webhook', {
            json: { entity_id: entity, event: 'deposit.received' },
          }),
        ];
        expect(await verdicts(answers)).toEqual([noEntity, noEntity, noEntity]);
      }
    });

    it('does not find the deposits of another, nor one that is not there', async () => {
      const [mine, theirs] = [await newCasino(service), await newCasino(service)];
      const { id } = await theirs.deposit();
      for (const path of [id, 0, 999_999_999, '9'.repeat(19), '9'.repeat(60)].map((it) => `/casino/deposit/${it}`)) {
        const answers = [
          mine.call('GET', path),
          mine.call('POST', `${path}/accept`),
          mine.call('POST', `${path}/return`, { json: { return_address: 'x' } }),
          mine.call('POST', `${path}/freeze`),
        ];
        expect(await verdicts(answers)).toEqual([noDeposit, noDeposit, noDeposit, noDeposit]);
      }
    });
  });

  describe('a disabled casino', () => {
    const casinoWithDeposit = async () => {
      const casino = await newCasino(service);
      const deposit = await (await casino.deposit()).settle();
      const player = await casino.player();
      await service.operator('PATCH', `/operator/entities/${casino.entityId}`, { status: 'disabled' });
      return { casino, deposit, player };
    };

    it('creates and lists nothing, though its deposits exist', async () => {
      const { casino, player } = await casinoWithDeposit();
      expect(verdict(await casino.create(casino.order(player)))).toEqual(disabled);
      expect(verdict(await casino.list(`?entity_id=${casino.entityId}`))).toEqual(disabled);
    });

    it('reads and decides', async () => {
      const { deposit } = await casinoWithDeposit();
      expect(await deposit.read()).toMatchObject({ id: deposit.id, status: 'Confirmed' });
      expect(verdict(await deposit.accept())).toMatchObject({ status: 200, decision: 'accepted' });
    });

    it('is not found before it is disabled', async () => {
      const { casino, player } = await casinoWithDeposit();
      const stranger = partnerOf(service, (await newCasino(service)).key);
      expect(verdict(await stranger.create(casino.order(player)))).toEqual(noEntity);
    });

    it("serves as 'active' and as 'enabled'", async () => {
      for (const status of ['active', 'enabled']) {
        const casino = await newCasino(service, { entity: { status } });
        expect(await casino.deposits()).toEqual({ deposits: [], total: 0 });
        expect(await casino.deposit()).toMatchObject({ quote: { status: 'ok' } });
      }
    });
  });
};
