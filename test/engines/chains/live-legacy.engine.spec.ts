import { setTimeout as delay } from 'node:timers/promises';
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
  type Service,
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
  let service: Service;

  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind');
    // Each coin is told of by its prefixes and its first block: to the watcher this node is of all of them.
    const first = await chain.node.rpc<string>('getblockhash', 0);
    const settings = coins.map((coin) => ({
      ...{ [`${coin}_NODE_URL`]: chain.node.url, [`${coin}_NETWORK`]: first, [`${coin}_CONFIRMATIONS`]: '1' },
    }));
    running = await startService(Object.assign({ ENGINE: 'live' }, ...settings));
    service = serviceAt(() => running);
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

  it('are credited with nothing that their address was paid before they had it, when its block is read again', async () => {
    const wallet = 'XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5';
    const script = scriptOf('DASH', wallet) ?? '';
    await chain.send(chain.payment([{ script, amount: 10_000_000n }]));
    await chain.mine();
    const height = await chain.node.rpc<number>('getblockcount');
    const dash = async () => {
      const { body } = await service.operator('GET', '/operator/chains');
      return (body.chains as readonly Readonly<Record<string, unknown>>[]).find(({ currency }) => currency === 'DASH');
    };
    await eventually(dash, (found) => found?.height === height);
    // Clocks may part by as much.
    await delay(6_000);
    done(await service.operator('POST', '/operator/addresses', { currency: 'DASH', addresses: [wallet] }));
    const order = partner.order({ crypto_selected: 'DASH', amount: 1 });
    const { transaction_id, wallet_address } = done(await partner.post('/create_transaction', order));
    expect(wallet_address).toBe(wallet);
    const asked = { from_height: height, to_height: height };
    expect((await service.operator('POST', '/operator/chains/DASH/rescan', asked)).status).toBe(202);
    await eventually(dash, (found) => found?.rescans === 0 && found.unsent === 0, 60_000);
    expect((await partner.check(Number(transaction_id))).status).toBe('Started');
  }, 90_000);
});
