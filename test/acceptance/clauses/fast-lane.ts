import { describe, expect, it } from '@jest/globals';
import { type Casino, type DepositHandle, newCasino, type Player, type Service, verdict } from '../harness/index.ts';

const fastOf = (kind: 'no_conf' | 'instant') => ({ [kind]: true });

export const fastLane = (service: Service): void => {
  const another = async (casino: Casino, player: Player, kind: 'no_conf' | 'instant' = 'no_conf') =>
    verdict(await casino.create(casino.order(player, fastOf(kind))));
  const blockedBy = (id: number, status: string, detail: RegExp) => ({
    status: 409,
    code: 'fast_deposit_unconfirmed',
    detail: expect.stringMatching(detail),
    blocking_deposit_id: id,
    blocking_status: status,
  });
  const open = /open unpaid fast quote/i;
  const unconfirmed = /has not reached its first confirmation/i;

  const openLane = async (kind: 'no_conf' | 'instant' = 'no_conf') => {
    const casino = await newCasino(service);
    const player = await casino.player();
    return { casino, player, deposit: await casino.deposit(fastOf(kind), player) };
  };

  describe('one fast deposit at a time', () => {
    it('while the quote is open and unpaid', async () => {
      const { casino, player, deposit } = await openLane();
      expect(await another(casino, player)).toEqual(blockedBy(deposit.id, 'Pending', open));
      expect((await casino.deposits()).total).toBe(1);
    });

    it('names what blocks: no-conf or instant', async () => {
      const noConf = await openLane('no_conf');
      expect((await another(noConf.casino, noConf.player, 'instant')).detail).toMatch(/no-conf/i);
      const instant = await openLane('instant');
      expect((await another(instant.casino, instant.player, 'no_conf')).detail).toMatch(/instant/i);
    });

    it.each([
      ['Succeed', '0.002'],
      ['Underpaid', '0.001'],
      ['Overpaid', '0.003'],
    ])('while it is paid and not confirmed: %s', async (status, amount) => {
      const { casino, player, deposit } = await openLane();
      await deposit.pay({ amount });
      expect(await another(casino, player)).toEqual(blockedBy(deposit.id, status, unconfirmed));
    });

    it('even after it was accepted before its confirmation', async () => {
      const { casino, player, deposit } = await openLane('instant');
      await deposit.pay();
      await deposit.guards(true);
      await deposit.ofac('clear');
      expect((await deposit.accept()).status).toBe(200);
      expect(await another(casino, player)).toEqual(blockedBy(deposit.id, 'Succeed', unconfirmed));
    });

    it('until it is confirmed', async () => {
      const { casino, player, deposit } = await openLane();
      await deposit.pay();
      await deposit.confirm();
      expect(await another(casino, player)).toMatchObject({ status: 'ok' });
    });

    it('until it is timed out', async () => {
      const { casino, player, deposit } = await openLane();
      await deposit.expire();
      expect(await another(casino, player)).toMatchObject({ status: 'ok' });
    });

    it('also while an earlier one that had expired is paid: told late, paid late, or unconfirmed again', async () => {
      const late = await openLane();
      await late.deposit.expire();
      const second = await late.casino.deposit(fastOf('no_conf'), late.player);
      await second.expire();
      await late.deposit.pay({ minute: 31 });
      expect(await another(late.casino, late.player)).toEqual(blockedBy(late.deposit.id, 'Succeed', unconfirmed));
      await late.deposit.confirm();
      const third = await late.casino.deposit(fastOf('no_conf'), late.player);
      await second.pay();
      await third.pay();
      await third.confirm();
      expect(await another(late.casino, late.player)).toEqual(blockedBy(second.id, 'Succeed', unconfirmed));
      await second.confirm();
      await late.deposit.reorg();
      expect(await another(late.casino, late.player)).toEqual(blockedBy(late.deposit.id, 'Succeed', unconfirmed));
    });

    it('one that comes back beside another waits for its confirmation', async () => {
      const { casino, player, deposit } = await openLane('instant');
      await deposit.expire();
      const next = await casino.deposit(fastOf('instant'), player);
      await deposit.pay();
      await next.pay();
      await Promise.all([deposit, next].map((each) => each.guards(true)));
      await Promise.all([deposit, next].map((each) => each.ofac('clear')));
      expect(await deposit.read()).toMatchObject({ no_conf_state: 'fell_back', acceptable: false });
      expect(verdict(await deposit.accept())).toEqual({
        status: 409,
        detail: 'Cannot accept: no-conf deposit is not eligible yet (state: fell_back)',
      });
      expect((await next.accept()).status).toBe(200);
      await deposit.confirm();
      expect((await deposit.accept()).status).toBe(200);
    });

    it('of five that expired and are paid late at once, one may be accepted before its confirmation', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const deposits: DepositHandle[] = [];
      for (let nth = 0; nth < 5; nth++) {
        const deposit = await casino.deposit(fastOf('instant'), player);
        await deposit.expire();
        deposits.push(deposit);
      }
      await Promise.all(deposits.map((deposit) => deposit.pay({ minute: 31 })));
      await Promise.all(deposits.map((deposit) => deposit.guards(true, 32)));
      await Promise.all(deposits.map((deposit) => deposit.ofac('clear', 32)));
      const accepted = await Promise.all(deposits.map((deposit) => deposit.acceptAdjusted()));
      expect(accepted.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
      expect(await another(casino, player, 'instant')).toMatchObject({ code: 'fast_deposit_unconfirmed' });
    });

    it('per player and per casino', async () => {
      const { casino, player } = await openLane();
      expect(await another(casino, await casino.player())).toMatchObject({ status: 'ok' });
      const other = await newCasino(service);
      expect(await another(other, await other.player(player))).toMatchObject({ status: 'ok' });
    });

    it('never blocks a standard deposit, nor is it blocked by one', async () => {
      const { casino, player } = await openLane();
      await casino.deposit({}, player);
      await casino.deposit({}, player);
      expect((await casino.deposits()).total).toBe(3);
      const next = await casino.player();
      await casino.deposit({}, next);
      expect(await another(casino, next)).toMatchObject({ status: 'ok' });
    });

    it('of 24 that are created at once', async () => {
      const casino = await newCasino(service);
      const player = await casino.player();
      const kinds = Array.from({ length: 24 }, (_, turn) => (turn % 2 === 0 ? 'no_conf' : 'instant'));
      const answers = await Promise.all(kinds.map((kind) => another(casino, player, kind)));
      const won = answers.filter(({ status }) => status === 'ok');
      const busy = { status: 503, detail: 'Could not serialize fast deposit creation, try again' };
      expect(won).toHaveLength(1);
      const [winner] = won;
      for (const lost of answers.filter((answer) => answer !== winner)) {
        const expected = blockedBy(Number(winner?.deposit_id), 'Pending', open);
        expect(lost).toEqual(lost.status === 503 ? busy : expected);
      }
      const { deposits, total } = await casino.deposits();
      expect([total, deposits[0]?.id]).toEqual([1, winner?.deposit_id]);
    });
  });
};
