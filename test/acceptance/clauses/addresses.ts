import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type Body,
  type Casino,
  type Deposit,
  eventually,
  newCasino,
  type Service,
  setPool,
  transactionId,
  unique,
  verdict,
  withoutPool,
} from '../harness/index.ts';

const failed = { status: 500, detail: 'Failed to create casino deposit' };
const patience = 120_000;

type Timed = Body & { readonly seconds: number };

const timed = async (answer: Promise<Answer>): Promise<Timed> => {
  const from = performance.now();
  return { ...verdict(await answer), seconds: (performance.now() - from) / 1000 };
};

const players = ['plain', 'fast', 'keyed', 'expiring'] as const;
type Name = (typeof players)[number];

export const addresses = (service: Service): void => {
  describe('while the pool is empty', () => {
    const key = { 'Idempotency-Key': unique('order') };
    let casino: Casino;
    let answers: readonly Timed[];
    let blocked: Body;
    let waiting: readonly Deposit[];
    let afterwards: readonly Deposit[];
    const orders = new Map<Name, Body>();
    const orderOf = (name: Name): Body => orders.get(name) ?? {};
    const of = (deposits: readonly Deposit[], name: Name) =>
      deposits.find(({ gambler_ref }) => gambler_ref === orderOf(name).gambler_ref);

    /** One wait of 30 seconds for all of these cases. */
    beforeAll(async () => {
      casino = await newCasino(service);
      for (const name of players) {
        const fields = { currency: 'ETH', no_conf: name === 'fast' };
        orders.set(name, casino.order(await casino.player(), fields));
      }
      await withoutPool(service, 'ETH', async () => {
        const asked = Promise.all(
          players.map((name) => timed(casino.create(orderOf(name), name === 'keyed' ? key : undefined))),
        );
        waiting = (await eventually(casino.deposits, ({ total }) => total === players.length)).deposits;
        const expiring = of(waiting, 'expiring');
        await service.signals([
          { signal_id: unique('expired'), type: 'quote.expired', deposit_id: expiring?.id, at: expiring?.expires_at },
        ]);
        answers = await asked;
        blocked = verdict(await casino.create(orderOf('fast')));
      });
      const open = (deposits: readonly Deposit[]) => deposits.filter(({ status }) => status === 'Pending');
      afterwards = (await eventually(casino.deposits, ({ deposits }) => open(deposits).every(({ wallet }) => wallet)))
        .deposits;
    }, patience);

    it('a deposit is recorded before its address is waited for', () => {
      expect(waiting.map(({ wallet, status }) => ({ wallet, status }))).toEqual(
        players.map(() => ({ wallet: null, status: 'Pending' })),
      );
    });

    it('create fails after 30 seconds', () => {
      for (const { seconds, ...answer } of answers) {
        expect(answer).toEqual(failed);
        expect(seconds).toBeGreaterThan(28);
        expect(seconds).toBeLessThan(40);
      }
    });

    it('a fast deposit keeps blocking', () => {
      expect(blocked).toMatchObject({
        status: 409,
        code: 'fast_deposit_unconfirmed',
        blocking_deposit_id: of(waiting, 'fast')?.id,
        blocking_status: 'Pending',
      });
    });

    it('the deposits stay, and get their address with the pool', () => {
      expect(afterwards.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
      for (const name of ['plain', 'fast', 'keyed'] as const) {
        expect(of(afterwards, name)?.wallet).toMatch(/^0x[0-9a-fA-F]{40}$/);
      }
    });

    it('a deposit that expired needs none any more', () => {
      expect(of(afterwards, 'expiring')).toMatchObject({ status: 'Timedout', wallet: null });
    });

    it('the same Idempotency-Key answers with that deposit, once it has its address', async () => {
      const own = of(afterwards, 'keyed');
      expect(verdict(await casino.create(orderOf('keyed'), key))).toMatchObject({
        status: 'ok',
        deposit_id: own?.id,
        address: own?.wallet,
      });
      expect((await casino.deposits()).total).toBe(players.length);
    });
  });

  describe('the pool', () => {
    it(
      'is waited for: an address that comes in time is answered',
      async () => {
        const casino = await newCasino(service);
        const player = await casino.player();
        await withoutPool(service, 'BTC', async () => {
          const answer = timed(casino.create(casino.order(player)));
          await eventually(casino.deposits, ({ total }) => total === 1);
          await setPool(service, 'BTC', true);
          expect(await answer).toMatchObject({ status: 'ok', address: expect.stringMatching(/./) });
        });
        const { deposits } = await casino.deposits();
        expect(deposits).toMatchObject([{ wallet: expect.stringMatching(/./) }]);
      },
      patience,
    );

    it('takes no address that is none of that coin', async () => {
      for (const wrong of ['ATTACKER-ADDRESS', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed']) {
        const answer = await service.operator('POST', '/operator/addresses', { currency: 'BTC', addresses: [wrong] });
        expect(verdict(answer)).toMatchObject({ status: 400, detail: expect.stringContaining(wrong) });
      }
    });

    it.each([`0x${'0'.repeat(40)}`, `0x${'0'.repeat(36)}dEaD`])(
      'takes none from which nobody can spend: %s',
      async (burnt) => {
        const answer = await service.operator('POST', '/operator/addresses', { currency: 'ETH', addresses: [burnt] });
        expect(verdict(answer)).toMatchObject({ status: 400, detail: expect.stringContaining(burnt) });
      },
    );

    it('takes what an operator adds, and hands no address out twice', async () => {
      const casino = await newCasino(service);
      const added = Array.from({ length: 3 }, () => `0x${transactionId().slice(0, 40)}`);
      const answer = await service.operator('POST', '/operator/addresses', { currency: 'ETH', addresses: added });
      expect(answer.status).toBeLessThan(300);
      const again = await service.operator('POST', '/operator/addresses', { currency: 'ETH', addresses: added });
      expect(again.status).toBeLessThan(500);
      const given: string[] = [];
      for (let asked = 0; asked < 6; asked += 1) given.push((await casino.deposit({ currency: 'ETH' })).quote.address);
      expect(new Set(given).size).toBe(given.length);
    });
  });
};
