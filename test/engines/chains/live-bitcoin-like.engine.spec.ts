import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  endpoints,
  eventually,
  type Hooked,
  hookedCasinos,
  openMarket,
  type Running,
  type Service,
  serviceAt,
  startService,
  toldOf,
} from '../../acceptance/harness/index.ts';
import { describeWhere } from '../../support/jest-left-out.ts';
import { type Signed, startUtxoChain, type UtxoChain } from './driver/index.ts';
import { historyOf, quotedUnits, scriptFor, untilStatus } from './driver/live.ts';
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
      running = await startService({
        ENGINE: 'live',
        [`${coin}_NODE_URL`]: chain.node.url,
        [`${coin}_NETWORK`]: 'regtest',
        [`${coin}_CONFIRMATIONS`]: '1',
      });
      service = serviceAt(() => running);
      await openMarket(service);
      hooked = await hookedCasinos(service, open)();
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
      const sentAt = performance.now();
      const { txid } = await pay(deposit);
      expect(await untilStatus(deposit, 'Succeed')).toMatchObject({ status: 'Succeed' });
      const seenMs = performance.now() - sentAt;
      const minedAt = performance.now();
      const [hash] = await chain.mine();
      expect(await untilStatus(deposit, 'Confirmed')).toMatchObject({ status: 'Confirmed' });
      const confirmedMs = performance.now() - minedAt;
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
      process.stderr.write(
        `${JSON.stringify({ coin, seenMs: Math.round(seenMs), confirmedMs: Math.round(confirmedMs) })}\n`,
      );
      expect([seenMs < 2_000, confirmedMs < 3_000]).toEqual([true, true]);
    });

    it('is confirmed when nobody saw it before its block', async () => {
      const deposit = await order();
      await chain.send(payment(deposit));
      await chain.mine();
      expect((await untilStatus(deposit, 'Confirmed')).status).toBe('Confirmed');
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

    it('is double-spent by a block that nobody saw coming, with the transaction that did it', async () => {
      const deposit = await order({ no_conf: true });
      const paid = await pay(deposit);
      await untilStatus(deposit, 'Succeed');
      const [spent] = paid.coins;
      const thief = chain.payment([{ script: `0014${'cd'.repeat(20)}`, amount: 50_000n }], {
        coin: spent ?? chain.coin(),
      });
      const minedAt = performance.now();
      // The node itself has the payment: the other comes with a block, as it would from elsewhere.
      await chain.node.rpc('invalidateblock', await chain.mineOnly([paid]));
      await chain.mineOnly([thief]);
      await chain.mine();
      const found = await eventually(deposit.read, ({ double_spend_txid }) => double_spend_txid === thief.txid);
      expect(found).toMatchObject({ no_conf_state: 'double_spent', double_spend_txid: thief.txid });
      expect(performance.now() - minedAt).toBeLessThan(4_000);
    });

    it('is put back when the node loses what waits, and no double-spend is cried', async () => {
      const deposit = await order();
      const { txid } = await pay(deposit);
      await untilStatus(deposit, 'Succeed');
      await chain.crash();
      const waits = () => chain.node.rpc<string[]>('getrawmempool');
      expect(await eventually(waits, (all) => all.includes(txid), 20_000)).toContain(txid);
      await chain.mine();
      expect((await untilStatus(deposit, 'Confirmed')).status).toBe('Confirmed');
      expect(await factsOf(deposit)).not.toContain('PaymentDoubleSpent');
    }, 40_000);

    it('is shown to operators, and read again when they ask', async () => {
      const chains = async () =>
        (await service.operator('GET', '/operator/chains')).body.chains as { height: number }[];
      const [found] = await chains();
      expect(found).toMatchObject({ currency: coin, held: null, unsent: 0, nodes: [{ state: 'ok', problem: null }] });
      const asked = { from_height: 1, to_height: found?.height };
      expect((await service.operator('POST', `/operator/chains/${coin}/rescan`, asked)).status).toBe(202);
      expect(
        await eventually(chains, ([one]) => one !== undefined && 'rescans' in one && one.rescans === 0),
      ).toMatchObject([{ rescans: 0, unsent: 0 }]);
    });
  });
}
