import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesOf } from '#addresses';
import { bitcoinLikeNode, type ChainNode } from '#chains';
import { createWallet } from '../../test/engines/chains/driver/wallet.ts';
import { missingNode, type RunningNode, startNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';

for (const [name, coin, prefix] of [
  ['bitcoind', 'BTC', 'bcrt'],
  ['litecoind', 'LTC', 'rltc'],
] as const) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`a node of ${coin} that keeps no index`, () => {
    let running: RunningNode;
    let node: ChainNode;
    beforeAll(async () => {
      running = await startNode(name, ['-txindex=0']);
      const [url, network] = [running.url, 'regtest'];
      node = bitcoinLikeNode({ url, coin, network, addressOf: addressesOf(coin, network) });
    }, 60_000);
    afterAll(() => running?.stop());

    it('proves where a payment comes from by the blocks that it names', async () => {
      const payer = await running.wallet('payer');
      const miner = await payer<string>('getnewaddress', '', 'bech32');
      await running.rpc('generatetoaddress', 102, miner);
      const from = await payer<string>('getnewaddress', '', 'bech32');
      const made = await payer<string>('sendtoaddress', from, 1);
      await running.rpc('generatetoaddress', 1, miner);
      const parent = await payer<{ details: { address: string; category: string; vout: number }[] }>(
        'gettransaction',
        made,
      );
      const vout = parent.details.find(({ address }) => address === from)?.vout;
      const paid = [{ [createWallet().address(prefix)]: 0.9999 }];
      const raw = await payer<string>('createrawtransaction', [{ txid: made, vout }], paid);
      const { hex } = await payer<{ hex: string }>('signrawtransactionwithwallet', raw);
      const txid = await running.rpc<string>('sendrawtransaction', hex);
      const [waiting] = await node.transactions([txid]);
      expect(waiting && (await node.provenSendersOf?.(waiting))).toEqual([from]);
      const [hash = ''] = await running.rpc<string[]>('generatetoaddress', 1, miner);
      const mined = (await node.block(hash))?.transactions.find((each) => each.txid === txid);
      // Litecoin's says of nothing that is spent in which block it was made.
      const known = name === 'litecoind' ? undefined : [from];
      expect(mined && (await node.provenSendersOf?.(mined, hash))).toEqual(known);
    }, 60_000);
  });
}
