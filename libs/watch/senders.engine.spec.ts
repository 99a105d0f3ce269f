import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesOf } from '#addresses';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode, type ChainNode } from '#chains';
import { startUtxoChain, type UtxoChain } from '../../test/engines/chains/driver/index.ts';
import { createWallet } from '../../test/engines/chains/driver/wallet.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const missing = await missingNode('bitcoind');

describeWhere(missing === undefined, missing ?? '')('a payment of many coins', () => {
  const database = databasePerTest(...addressesTables, migrations);
  const deposit = createWallet();
  let chain: UtxoChain;
  let node: ChainNode;
  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind', 2);
    const [coin, network] = ['BTC', 'regtest'] as const;
    node = bitcoinLikeNode({ url: chain.node.url, coin, network, addressOf: addressesOf(coin, network) });
  }, 60_000);
  afterAll(() => chain?.stop());

  const split = async (scripts: readonly string[], amount: bigint) => {
    const signed = chain.payment(
      scripts.map((script) => ({ script, amount })),
      { fee: 100_000n },
    );
    await chain.send(signed);
    await chain.mine();
    return scripts.map((_, vout) => ({ txid: signed.txid, vout, amount }));
  };

  const watched = async () => {
    const watch = watching(database, 'BTC', [node]);
    await watch.give(deposit.script, 1);
    await watch.turn();
    return watch;
  };

  it.each(['waits', 'is mined'])(
    'names all its senders to screening, the last one too, when it %s',
    async (state) => {
      const rich = await chain.node.wallet(`rich of one that ${state}`);
      const addresses = await Promise.all(Array.from({ length: 120 }, () => rich<string>('getnewaddress')));
      const infos = addresses.map((address) => rich<{ scriptPubKey: string }>('getaddressinfo', address));
      const coins = await split(
        (await Promise.all(infos)).map(({ scriptPubKey }) => scriptPubKey),
        10_000n,
      );
      const watch = await watched();
      const inputs = coins.map(({ txid, vout }) => ({ txid, vout }));
      const raw = await rich<string>('createrawtransaction', inputs, [{ [deposit.address('bcrt')]: 0.01 }]);
      const { hex } = await rich<{ hex: string }>('signrawtransactionwithwallet', raw);
      await chain.node.rpc('sendrawtransaction', hex);
      if (state === 'is mined') await chain.mine();
      await watch.turns(2);
      const [seen] = await watch.told();
      expect(new Set(seen?.funding_addresses as string[])).toEqual(new Set(addresses));
    },
    60_000,
  );

  it('of every kind that a wallet makes is proven to come from what its node names', async () => {
    const wallet = await chain.node.wallet('of every kind');
    const kinds = ['legacy', 'p2sh-segwit', 'bech32', 'bech32m'];
    const addresses = await Promise.all(kinds.map((kind) => wallet<string>('getnewaddress', '', kind)));
    const infos = addresses.map((address) => wallet<{ scriptPubKey: string }>('getaddressinfo', address));
    const coins = await split(
      (await Promise.all(infos)).map(({ scriptPubKey }) => scriptPubKey),
      10_000n,
    );
    const inputs = coins.map(({ txid, vout }) => ({ txid, vout }));
    const raw = await wallet<string>('createrawtransaction', inputs, [{ [deposit.address('bcrt')]: 0.0002 }]);
    const { hex } = await wallet<{ hex: string }>('signrawtransactionwithwallet', raw);
    const txid = await chain.node.rpc<string>('sendrawtransaction', hex);
    const [waiting] = await node.transactions([txid]);
    expect(waiting && (await node.provenSendersOf?.(waiting))).toEqual(addresses);
  }, 60_000);

  it('of more than screening takes goes to review', async () => {
    const coins = await split(
      Array.from({ length: 1_001 }, () => chain.wallet.script),
      3_000n,
    );
    const watch = await watched();
    const signed = chain.wallet.sign(coins, [{ script: deposit.script, amount: 2_900_000n }]);
    await chain.send(signed);
    await watch.turns(2);
    await chain.mine();
    await watch.turns(2);
    expect((await watch.told()).map(({ type, status }) => [type, status])).toEqual([
      ['payment.seen', undefined],
      ['kyt.completed', 'review'],
      ['payment.confirmed', undefined],
    ]);
  }, 60_000);
});
