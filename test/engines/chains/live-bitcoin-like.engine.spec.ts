import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type DepositHandle,
  endpoints,
  eventually,
  type Hooked,
  type Running,
  type Service,
  toldOf,
  webhookOf,
} from '../../acceptance/harness/index.ts';
import { describeWhere } from '../../support/jest-left-out.ts';
import { type Signed, startUtxoChain, type UtxoChain } from './driver/index.ts';
import { historyOf, quotedUnits, scriptFor, startLive, untilStatus } from './driver/live.ts';
import { missingNode } from './nodes/index.ts';

for (const [name, coin] of [
  ['bitcoind', 'BTC'],
  ['litecoind', 'LTC'],
] as const) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`${coin} on a real node`, () => {
    const open = endpoints();
    let chain: UtxoChain;
    let running: Running;
    let service: Service;
    let hooked: Hooked;

    beforeAll(async () => {
      chain = await startUtxoChain(name);
      ({ running, service, hooked } = await startLive(
        {
          [`${coin}_NODE_URL`]: chain.node.url,
          [`${coin}_NETWORK`]: 'regtest',
          [`${coin}_CONFIRMATIONS`]: '1',
        },
        open,
      ));
    }, 90_000);
    afterAll(async () => {
      await running?.stop();
      await chain?.stop();
    });

    const order = (fields: Readonly<Record<string, unknown>> = {}) =>
      hooked.casino.deposit({ currency: coin, amount: 10, ...fields });

    const payment = (deposit: Awaited<ReturnType<typeof order>>, how?: Parameters<UtxoChain['payment']>[1]): Signed =>
      chain.payment([{ script: scriptFor(coin, deposit), amount: quotedUnits(deposit) }], how);

    const pay = async (deposit: Awaited<ReturnType<typeof order>>, how?: Parameters<UtxoChain['payment']>[1]) => {
      const signed = payment(deposit, how);
      await chain.send(signed);
      return signed;
    };

    const factsOf = async (deposit: Awaited<ReturnType<typeof order>>) =>
      (await historyOf(service, deposit)).map(({ type }) => type);

    it('is seen, confirmed and accepted, and partners hear of it as the interface says', async () => {
      const deposit = await order();
      const { txid } = await pay(deposit);
      expect(await untilStatus(deposit, 'Succeed')).toMatchObject({ status: 'Succeed' });
      const [hash] = await chain.mine();
      expect(await untilStatus(deposit, 'Confirmed')).toMatchObject({ status: 'Confirmed' });
      await deposit.screen();
      expect((await deposit.accept()).status).toBe(200);
      const history = await historyOf(service, deposit);
      expect(history.find(({ type }) => type === 'PaymentSeen')?.data).toMatchObject({ payment: { txid, vout: 0 } });
      expect(history.find(({ type }) => type === 'PaymentConfirmed')?.data).toMatchObject({ txid, blockHash: hash });
      const told = await eventually(
        () => toldOf(hooked.endpoint, deposit, 4),
        (all) => all.length >= 4,
      );
      expect(told.length).toBeGreaterThanOrEqual(4);
    });

    /** Of three: one may have met whatever else the machine had to do. */
    const middle = (took: readonly number[]): number => took.toSorted((one, other) => one - other)[1] ?? Number.NaN;

    const msUntil = async (deposit: DepositHandle, status: string, does: () => Promise<unknown>): Promise<number> => {
      const since = performance.now();
      await does();
      expect(await untilStatus(deposit, status)).toMatchObject({ status });
      return Math.round(performance.now() - since);
    };

    it('is seen within 2 s, and confirmed within 3 s after its block', async () => {
      const [seenMs, confirmedMs]: [number[], number[]] = [[], []];
      for (let nth = 0; nth < 3; nth += 1) {
        const deposit = await order();
        seenMs.push(await msUntil(deposit, 'Succeed', () => pay(deposit)));
        confirmedMs.push(await msUntil(deposit, 'Confirmed', () => chain.mine()));
      }
      process.stderr.write(`${JSON.stringify({ coin, seenMs, confirmedMs })}\n`);
      expect(middle(seenMs)).toBeLessThan(2_000);
      expect(middle(confirmedMs)).toBeLessThan(3_000);
    });

    it('is confirmed when nobody saw it before its block', async () => {
      const deposit = await order();
      await chain.send(payment(deposit));
      await chain.mine();
      expect((await untilStatus(deposit, 'Confirmed')).status).toBe('Confirmed');
    });

    it('waits for OFAC as long as any other where it is told an hour after it was there', async () => {
      const deposit = await order();
      await deposit.pay({ minute: -60 });
      await deposit.confirm(undefined, -50);
      // The timer of a deadline that is over rings within a second.
      await delay(3_000);
      expect((await deposit.read()).ofac_status).toBe('pending');
      expect((await deposit.accept()).body).toMatchObject({
        ...{ code: 'ofac_screen_pending', ofac_deadline_at: deposit.at(-59) },
      });
    });

    it('keeps its decision when the chain gives its block up, and is confirmed once more elsewhere', async () => {
      const deposit = await order();
      await pay(deposit);
      await chain.mine();
      await untilStatus(deposit, 'Confirmed');
      await deposit.screen();
      await deposit.accept();
      await chain.reorganise(1, 2);
      const facts = await eventually(
        () => factsOf(deposit),
        (all) => all.filter((type) => type === 'PaymentConfirmed').length === 2,
      );
      expect(facts.filter((type) => /^Payment(Confirmed|Reorged)$/.test(type))).toEqual([
        ...['PaymentConfirmed', 'PaymentReorged', 'PaymentConfirmed'],
      ]);
      expect(await deposit.read()).toMatchObject({ decision: 'accepted', status: 'Confirmed' });
    });

    const fast = async () => {
      const deposit = await order({ no_conf: true });
      const { coins } = await pay(deposit);
      await eventually(deposit.read, ({ no_conf_state }) => no_conf_state === 'eligible');
      const thief = chain.payment([{ script: `0014${'cd'.repeat(20)}`, amount: 50_000n }], {
        ...{ coin: coins[0] ?? chain.coin(), fee: 90_000n },
      });
      return { deposit, thief };
    };

    /** From what the chain does until the casino is alerted of it, and of who did it. */
    const alertedMs = async ({ deposit, thief }: Awaited<ReturnType<typeof fast>>, does: (one: Signed) => unknown) => {
      const since = Date.now();
      await does(thief);
      const { at, body } = await webhookOf(hooked.endpoint, deposit, 'double_spend_alert');
      expect(body).toMatchObject({ double_spend_txid: thief.txid, no_conf_state: 'double_spent' });
      return at - since;
    };

    const ways = [
      ['by a block that nobody saw coming', (thief: Signed) => chain.mineOnly([thief])],
      // Litecoin's node takes no other spender of a coin into its mempool.
      ...(coin === 'BTC' ? [['in the mempool', (thief: Signed) => chain.send(thief)] as const] : []),
    ] as const;

    it.each(ways)('is double-spent %s, and the casino alerted within 2 s, after an accept too', async (way, does) => {
      const took = [await alertedMs(await fast(), does), await alertedMs(await fast(), does)];
      const accepted = await fast();
      await accepted.deposit.screen();
      expect((await accepted.deposit.accept()).status).toBe(200);
      took.push(await alertedMs(accepted, does));
      expect(await accepted.deposit.read()).toMatchObject({
        ...{ decision: 'accepted', double_spend_txid: accepted.thief.txid },
      });
      process.stderr.write(`${JSON.stringify({ coin, way, alertedMs: took })}\n`);
      expect(middle(took)).toBeLessThan(2_000);
    });

    it('is put back when the node loses what waits, and no double-spend is cried, though a parent is gone', async () => {
      const amount = 20_000_000n;
      const parent = chain.payment([{ script: chain.wallet.script, amount }]);
      await chain.send(parent);
      const [leaning, alone] = [await order(), await order()];
      const child = await pay(leaning, { coin: { txid: parent.txid, vout: 0, amount } });
      await untilStatus(leaning, 'Succeed');
      const { txid } = await pay(alone);
      await untilStatus(alone, 'Succeed');
      await chain.crash();
      const waits = () => chain.node.rpc<string[]>('getrawmempool');
      // What waits longer is put back first: what leans on the parent was refused by then.
      expect(await eventually(waits, (all) => all.includes(txid), 20_000)).toEqual([txid]);
      await chain.send(parent);
      await chain.send(child);
      await chain.mine();
      for (const deposit of [leaning, alone]) {
        expect((await untilStatus(deposit, 'Confirmed')).status).toBe('Confirmed');
        expect(await factsOf(deposit)).toEqual(
          expect.not.arrayContaining([expect.stringMatching(/^Payment(DoubleSpent|Dropped)$/)]),
        );
      }
    }, 40_000);

    it('is shown to operators, and read again when they ask', async () => {
      const chains = async () =>
        (await service.operator('GET', '/operator/chains')).body.chains as { height: number }[];
      const [found] = await chains();
      expect(found).toMatchObject({ currency: coin, held: null, unsent: 0, nodes: [{ state: 'ok', problem: null }] });
      const asked = { from_height: 1, to_height: found?.height };
      expect((await service.operator('POST', `/operator/chains/${coin}/rescan`, asked)).status).toBe(202);
      // All blocks of the tests before, twenty a turn.
      const isDone = ([one]: readonly object[]) => one !== undefined && 'rescans' in one && one.rescans === 0;
      expect(await eventually(chains, isDone, 60_000)).toMatchObject([{ rescans: 0, unsent: 0 }]);
    }, 70_000);
  });
}
