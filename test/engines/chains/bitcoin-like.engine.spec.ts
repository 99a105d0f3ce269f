import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesOf } from '#addresses';
import { bitcoinLikeNode, type ChainNode } from '#chains';
import { describeWhere } from '../../support/jest-left-out.ts';
import { type Signed, startUtxoChain, type UtxoChain } from './driver/index.ts';
import { missingNode } from './nodes/index.ts';

const SOMEBODY = `0014${'ab'.repeat(20)}`;

for (const [name, coin] of [
  ['bitcoind', 'BTC'],
  ['litecoind', 'LTC'],
  ['btcd', 'BTC'],
] as const) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`a node of ${coin}: ${name}`, () => {
    let chain: UtxoChain;
    let node: ChainNode;
    const open = (network: string): ChainNode =>
      bitcoinLikeNode({ url: chain.node.url, coin, network, addressOf: addressesOf(coin, network) });
    const pay = (): Signed => chain.payment([{ script: SOMEBODY, amount: 123_456_789n / 10n }]);

    beforeAll(async () => {
      chain = await startUtxoChain(name);
      node = open('regtest');
    }, 60_000);
    afterAll(() => chain?.stop());

    it('is known by its first block, and is no node of another network', async () => {
      expect(await node.check()).toBeUndefined();
      expect(await node.shortcoming(await node.tip())).toBeUndefined();
      expect(await open('main').check()).toMatch(/is not of (BTC|LTC)'s network main: it begins with [0-9a-f]{64}/);
    });

    it('tells a payment while it waits: what it spends, whom it pays, to the last unit', async () => {
      const signed = pay();
      await chain.send(signed);
      expect(await node.mempool()).toContain(signed.txid);
      const [found] = await node.transactions([signed.txid]);
      expect(found).toMatchObject({
        txid: signed.txid,
        inputs: signed.coins.map(({ txid, vout }) => `${txid}:${vout}`),
        replaceable: false,
        isPegOut: false,
      });
      expect(found?.outputs[0]).toEqual({ vout: 0, script: SOMEBODY, amount: 12_345_678n });
      expect(found?.raw?.()).toBe(signed.hex);
      expect(await node.raw(signed.txid)).toBe(signed.hex);
    });

    it('hears who says that he may replace a payment', async () => {
      const signed = chain.payment([{ script: SOMEBODY, amount: 50_000n }], { replaceable: true });
      await chain.send(signed);
      expect((await node.transactions([signed.txid]))[0]?.replaceable).toBe(true);
    });

    it('tells a block as the node itself tells it, with its parent', async () => {
      const [hash = ''] = await chain.mine();
      const told = await chain.node.rpc<{ tx: string[]; previousblockhash: string; time: number }>('getblock', hash, 1);
      const block = await node.block(hash);
      expect(block?.transactions.map(({ txid }) => txid)).toEqual(told.tx);
      expect([block?.parent, block?.time]).toEqual([told.previousblockhash, told.time]);
      expect(await node.tip()).toMatchObject({ hash, time: told.time, isSyncing: false, prunedBelow: 0 });
    });

    it('knows nothing of blocks and transactions that are not there', async () => {
      const { height } = await node.tip();
      expect(await node.hashAt(height + 1)).toBeUndefined();
      expect(await node.block('11'.repeat(32))).toBeUndefined();
      expect(await node.transactions(['11'.repeat(32)])).toEqual([]);
    });

    it('takes a payment again that it has, and says why it takes none whose coins are gone', async () => {
      const signed = pay();
      expect(await node.submit(signed.hex)).toEqual({ isIn: true });
      expect(await node.submit(signed.hex)).toEqual({ isIn: true });
      const rival = chain.payment([{ script: SOMEBODY, amount: 100_000n }], { coin: signed.coins[0] ?? chain.coin() });
      expect(await node.submit(rival.hex)).toMatchObject({ isIn: false, reason: expect.any(String) });
      await chain.mine();
      const [coin] = signed.coins;
      const late = chain.payment([{ script: SOMEBODY, amount: 10_000n }], { coin: coin ?? chain.coin() });
      expect(await node.submit(late.hex)).toMatchObject({ isIn: false, reason: expect.any(String) });
    });

    it('takes a payment again that pays more than its node would let somebody pay by mistake', async () => {
      const dear = chain.payment([{ script: SOMEBODY, amount: 100_000n }], { fee: 20_000_000n });
      expect(await node.submit(dear.hex)).toEqual({ isIn: true });
      expect(await node.mempool()).toContain(dear.txid);
    });

    it('says who spends an output that is spent in the mempool, where the node can say it', async () => {
      const signed = pay();
      await chain.send(signed);
      const [{ txid, vout } = { txid: '', vout: 0 }] = signed.coins;
      const asked = [`${txid}:${vout}`, `${signed.txid}:1`];
      expect(await node.spenders(asked)).toEqual(name === 'litecoind' ? [] : [signed.txid]);
      expect(await node.spenders([])).toEqual([]);
    });

    it('says what nothing can spend, in a block and before, and what is not known', async () => {
      const signed = pay();
      await chain.send(signed);
      const [{ txid, vout } = { txid: '', vout: 0 }] = signed.coins;
      const [spent, unknown] = [`${txid}:${vout}`, `${'11'.repeat(32)}:0`];
      const asked = [spent, `${signed.txid}:0`, unknown];
      // That one shows what is spent in blocks alone.
      expect(await node.gone(asked)).toEqual(name === 'btcd' ? [unknown] : [spent, unknown]);
      await chain.mine();
      expect(await node.gone(asked)).toEqual([spent, unknown]);
      expect(await node.gone([])).toEqual([]);
    });

    it('follows its node to another branch', async () => {
      const before = await node.tip();
      await chain.reorganise(2);
      const after = await node.tip();
      expect(after.height).toBe(before.height + 1);
      expect(await node.hashAt(before.height)).not.toBe(before.hash);
    });

    it('names where a payment comes from, and proves it', async () => {
      const signed = pay();
      await chain.send(signed);
      const [waiting] = await node.transactions([signed.txid]);
      const from = chain.wallet.address(coin === 'LTC' ? 'rltc' : 'bcrt');
      expect(waiting && (await node.sendersOf(waiting))).toEqual([from]);
      expect(waiting && (await node.provenSendersOf?.(waiting))).toEqual([from]);
      const [hash = ''] = await chain.mine();
      const mined = (await node.block(hash))?.transactions.find(({ txid }) => txid === signed.txid);
      expect(mined && (await node.sendersOf(mined, hash))).toEqual([from]);
      expect(mined && (await node.provenSendersOf?.(mined, hash))).toEqual([from]);
    });
  });
}
