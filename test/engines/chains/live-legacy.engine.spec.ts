import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { scriptOf } from '#addresses';
import type { LegacyCurrency } from '#money';
import {
  done,
  eventually,
  type LegacyPartner,
  newLegacyPartner,
  pinLegacyRates,
  type Running,
  serviceAt,
  startService,
} from '../../acceptance/harness/index.ts';
import { describeWhere } from '../../support/jest-left-out.ts';
import { startUtxoChain, type UtxoChain } from './driver/index.ts';
import { missingNode } from './nodes/index.ts';

const missing = await missingNode('bitcoind');

/** What each is asked for in USD, so that a coin of the test can pay it. */
const asked: Readonly<Record<LegacyCurrency, number>> = { BTC: 1, LTC: 1, DASH: 1, MARS: 0.01, BCH: 1 };
const coins = Object.keys(asked) as LegacyCurrency[];

describeWhere(missing === undefined, missing ?? '')('older transactions, on a real node like Bitcoin', () => {
  let chain: UtxoChain;
  let running: Running;
  let partner: LegacyPartner;

  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind');
    // Each coin is told of by its prefixes and its first block: to the watcher this node is of all of them.
    const first = await chain.node.rpc<string>('getblockhash', 0);
    const settings = coins.map((coin) => ({
      ...{ [`${coin}_NODE_URL`]: chain.node.url, [`${coin}_NETWORK`]: first, [`${coin}_CONFIRMATIONS`]: '1' },
    }));
    running = await startService(Object.assign({ ENGINE: 'live' }, ...settings));
    const service = serviceAt(() => running);
    await pinLegacyRates(service);
    partner = await newLegacyPartner(service);
  }, 90_000);
  afterAll(async () => {
    await running?.stop();
    await chain?.stop();
  });

  it.each(coins)('in %s are heard of, confirmed and settled', async (coin) => {
    const order = partner.order({ crypto_selected: coin, amount: asked[coin] });
    const { transaction_id, wallet_address, crypto_amount } = done(await partner.post('/create_transaction', order));
    const statusIs = (status: string) =>
      eventually(
        async () => (await partner.check(Number(transaction_id))).status,
        (found) => found === status,
      );
    const script = scriptOf(coin, String(wallet_address)) ?? '';
    await chain.send(chain.payment([{ script, amount: BigInt(Math.round(Number(crypto_amount) * 1e8)) }]));
    expect(await statusIs('Pending')).toBe('Pending');
    await chain.mine();
    expect(await statusIs('Succeeded')).toBe('Succeeded');
  });
});
