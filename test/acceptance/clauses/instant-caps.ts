import { describe, expect, it } from '@jest/globals';
import { type Casino, newCasino, type Player, type Service, verdict } from '../harness/index.ts';

export const instantCaps = (service: Service): void => {
  const instant = async (casino: Casino, player: Player, amount: number) =>
    verdict(await casino.create(casino.order(player, { instant: true, amount })));
  const over = (requested_usd: number, instant_max_usd: number, instant_tier: string) => ({
    status: 400,
    code: 'instant_over_cap',
    detail: expect.stringMatching(
      new RegExp(`(${instant_max_usd}.*${requested_usd}|${requested_usd}.*${instant_max_usd}).*instant`, 's'),
    ),
    requested_usd,
    instant_max_usd,
    instant_tier,
  });
  /** The tier that the player's next instant deposit would have. */
  const tierOf = async (casino: Casino, player: Player) => (await instant(casino, player, 1_000_000)).instant_tier;

  describe('the cap of an instant quote', () => {
    it('is 500 USD for a first deposit, and the cap itself is within', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      expect(await instant(casino, player, 500.01)).toEqual(over(500.01, 500, 'first'));
      expect((await casino.deposits()).total).toBe(0);
      expect(await instant(casino, player, 500)).toMatchObject({ status: 'ok' });
    });

    it('is held against all that the player pays, fees too', async () => {
      const fees = [{ beneficiary: 'BF', kind: 'FEE', paid_by: 'PLAYER', percent: 0.25 }];
      const casino = await newCasino(service, { entity: { fees } });
      const player = await casino.player();
      expect(await instant(casino, player, 400.08)).toEqual(over(500.1, 500, 'first'));
      expect(await instant(casino, player, 400)).toMatchObject({ status: 'ok', usd_amount: 500 });
    });

    it('is held against the crypto that the player will send', async () => {
      const casino = await newCasino(service);
      const fields = { instant: true, amount_is_crypto: true, amount: 0.01000001 };
      const answer = await casino.create(casino.order(await casino.player(), fields));
      expect(verdict(answer)).toEqual(over(500.0005, 500, 'first'));
    });

    it('holds no standard and no no-conf deposit back', async () => {
      const casino = await newCasino(service);
      expect(await casino.deposit({ amount: 10_000 })).toMatchObject({ quote: { usd_amount: 10_000 } });
      expect(await casino.deposit({ amount: 10_000, no_conf: true })).toMatchObject({ quote: { usd_amount: 10_000 } });
    });

    it("is the casino's own", async () => {
      const instant_caps = { first_usd: 50, returning_usd: 75, received_first_usd: 60, received_returning_usd: 90 };
      const casino = await newCasino(service, { entity: { instant_caps } });
      const player = await casino.player();
      expect(await instant(casino, player, 50.01)).toEqual(over(50.01, 50, 'first'));
      const first = await casino.deposit({ instant: true, amount: 50 }, player);
      expect(await first.read()).toMatchObject({ instant_received_max_usd: 60 });
      await (await first.settle()).accept();
      expect(await instant(casino, player, 75.01)).toEqual(over(75.01, 75, 'returning'));
      const second = await casino.deposit({ instant: true, amount: 75 }, player);
      expect(await second.read()).toMatchObject({ instant_received_max_usd: 90 });
    });
  });

  describe('the tier', () => {
    it('is returning once a deposit was accepted and confirmed: 1500 and 1600 USD', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      await (await (await casino.deposit({}, player)).settle()).accept();
      expect(await instant(casino, player, 1500.01)).toEqual(over(1500.01, 1500, 'returning'));
      const { read } = await casino.deposit({ instant: true, amount: 1500 }, player);
      expect(await read()).toMatchObject({ instant_received_max_usd: 1600 });
    });

    it('is first while a deposit is confirmed and not accepted', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const deposit = await (await casino.deposit({}, player)).settle();
      expect(await tierOf(casino, player)).toBe('first');
      await deposit.return();
      expect(await tierOf(casino, player)).toBe('first');
    });

    it('is first while a deposit is accepted and not confirmed, and returning from the confirmation on', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const deposit = await casino.deposit({ instant: true }, player);
      await deposit.pay();
      await deposit.guards(true);
      await deposit.ofac('clear');
      expect((await deposit.accept()).status).toBe(200);
      expect(await tierOf(casino, player)).toBe('first');
      await deposit.confirm();
      expect(await tierOf(casino, player)).toBe('returning');
    });

    it('knows nothing of other players and other casinos', async () => {
      const [casino, other] = [await newCasino(service), await newCasino(service)];
      const player = await casino.player();
      await (await (await casino.deposit({}, player)).settle()).accept();
      expect(await tierOf(casino, await casino.player())).toBe('first');
      expect(await tierOf(other, await other.player(player))).toBe('first');
    });

    it('is fixed at creation', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const instantDeposit = await casino.deposit({ instant: true }, player);
      await (await (await casino.deposit({}, player)).settle()).accept();
      expect(await tierOf(casino, player)).toBe('returning');
      expect(await instantDeposit.read()).toMatchObject({ instant_received_max_usd: 600 });
    });
  });
};
