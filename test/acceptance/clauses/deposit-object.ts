import { describe, expect, it } from '@jest/globals';
import { type Deposit, echoed, newCasino, nothingEchoed, type Service, withRate } from '../harness/index.ts';
import { everyFee } from './quote.ts';

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const nothingSeen = {
  confirmed_crypto: null,
  decision: 'pending',
  decision_at: null,
  return_address: null,
  acceptable: false,
  kyt_status: null,
  kyt_risk_score: null,
  kyt_checked_at: null,
  ofac_status: 'pending',
  double_spent_at: null,
  double_spend_txid: null,
  no_conf_state: null,
  instant_downgraded: false,
};

/** Stored money may differ from the quote in the last digits. */
const near = (value: number) => expect.closeTo(value, 9);

export const depositObject = (service: Service): void => {
  describe('the Deposit object', () => {
    it('of a new deposit has exactly the keys of the interface', async () => {
      const casino = await newCasino(service, { entity: { fees: everyFee } });
      const player = await casino.player();
      const { quote, read } = await casino.deposit(echoed, player);
      expect(await read()).toEqual({
        id: quote.deposit_id,
        transaction_id: quote.transaction_id,
        entity_id: casino.entityId,
        gambler_ref: player.gambler_ref,
        ...echoed,
        created_at: iso,
        updated_at: iso,
        currency: 'BTC',
        wallet: quote.address,
        status: 'Pending',
        crypto_amount: 0.00211225,
        expires_at: quote.expires_at,
        usd_amount: near(103.5),
        player_amount: near(100),
        entity_net_usd: near(99.383675),
        affiliate_net_usd: near(99.383675),
        charges: quote.charges.map((charge) => ({
          ...charge,
          amount_usd: near(charge.amount_usd),
          amount_crypto: near(charge.amount_crypto ?? 0),
        })),
        crypto_rate: '49000',
        market_rate: '50000',
        fee: near(0.035),
        fee_usd: near(3.5),
        bf_fee_usd: near(3.5),
        bf_spread_usd: near(1.056125),
        affiliate_fee_usd: near(1.67245),
        no_conf: false,
        instant: false,
        instant_received_max_usd: null,
        ...nothingSeen,
      });
    });

    it('of an accepted deposit tells what came and how it was judged', async () => {
      const deposit = await (await newCasino(service)).deposit();
      await deposit.pay();
      await deposit.confirm();
      await deposit.kyt('passed', 5, '12.50');
      await deposit.ofac('clear', 6);
      await deposit.accept();
      expect(await deposit.read()).toMatchObject({
        status: 'Confirmed',
        confirmed_crypto: 0.002,
        ...nothingEchoed,
        decision: 'accepted',
        decision_at: iso,
        return_address: null,
        acceptable: false,
        kyt_status: 'passed',
        kyt_risk_score: expect.stringMatching(/^12\.50?$/),
        kyt_checked_at: deposit.at(5),
        ofac_status: 'clear',
      } satisfies Partial<Record<keyof Deposit, unknown>>);
    });

    it('shows the address of a return, and of no other decision', async () => {
      const casino = await newCasino(service);
      const returned = await (await casino.deposit()).settle();
      await returned.return({ json: { return_address: 'bc1q-mine' } });
      expect(await returned.read()).toMatchObject({ decision: 'returned', return_address: 'bc1q-mine' });
      const frozen = await (await casino.deposit()).settle();
      await frozen.freeze();
      expect(await frozen.read()).toMatchObject({ decision: 'frozen', decision_at: iso, return_address: null });
    });

    it('names rates as decimal strings, with no exponent', () =>
      withRate(service, 'LTC', '0.00000012', async () => {
        const { read } = await (await newCasino(service)).deposit({ currency: 'LTC', amount: 0.5 });
        expect(await read()).toMatchObject({ market_rate: '0.00000012', crypto_rate: '0.00000012' });
      }));

    it('tells fast deposits apart', async () => {
      const casino = await newCasino(service);
      expect(await (await casino.deposit({ no_conf: true })).read()).toMatchObject({
        no_conf: true,
        instant: false,
        instant_received_max_usd: null,
        ...nothingSeen,
      });
      expect(await (await casino.deposit({ instant: true })).read()).toMatchObject({
        no_conf: true,
        instant: true,
        instant_received_max_usd: 600,
        ...nothingSeen,
      });
    });

    it('is updated with every event', async () => {
      const deposit = await (await newCasino(service)).deposit();
      const before = await deposit.read();
      await deposit.pay();
      const after = await deposit.read();
      expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
      expect(after.created_at).toBe(before.created_at);
    });

    it('is the same in the list', async () => {
      const casino = await newCasino(service);
      const deposit = await casino.deposit({ instant: true });
      await deposit.pay();
      expect((await casino.deposits()).deposits).toEqual([await deposit.read()]);
    });

    it.each(['0.000000123456789012', '1.234567890123456789', '100000000000000000000.5', '4620000003000000000'])(
      'has the shortest numbers of their doubles, in both reads: %s',
      async (amount) => {
        const casino = await newCasino(service);
        const deposit = await casino.deposit({ currency: 'ETH' });
        expect(await deposit.pay({ amount })).toBe('applied');
        const number = `"confirmed_crypto":${JSON.stringify(Number(amount))},`;
        const path = `/casino/deposits?entity_id=${casino.entityId}`;
        const texts = async () => [
          (await casino.call('GET', path)).text,
          (await casino.call('GET', `/casino/deposit/${deposit.id}`)).text,
        ];
        for (const text of await texts()) expect(text).toContain(number);
        await deposit.guards(true);
        await deposit.ofac('clear');
        for (const text of (await texts()).toReversed()) expect(text).toContain(number);
      },
    );

    it('shows each decision at once, in both reads', async () => {
      const casino = await newCasino(service);
      for (const decide of ['accept', 'return', 'freeze'] as const) {
        const deposit = await (await casino.deposit()).settle();
        await deposit[decide]();
        const { decision } = await deposit.read();
        expect(decision).not.toBe('pending');
        const { deposits } = await casino.deposits('&limit=1');
        expect(deposits[0]).toMatchObject({ id: deposit.id, decision });
      }
    });
  });
};
