import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bech32 } from '@scure/base';
import {
  type DepositHandle,
  endpoints,
  eventually,
  type Hooked,
  type Running,
  type Service,
  webhookOf,
} from '../../acceptance/harness/index.ts';
import { describeWhere } from '../../support/jest-left-out.ts';
import { historyOf, scriptFor, startLive, untilStatus } from './driver/live.ts';
import { missingNode, type RunningNode, startNode } from './nodes/index.ts';
import type { Rpc } from './nodes/rpc.ts';

const missing = await missingNode('litecoind');

/** From here on its regtest demands that a block says what came out of the extension. */
const FIRST_WITH_EXTENSION = 432;

describeWhere(missing === undefined, missing ?? '')('coins that come out of where nobody can look', () => {
  const open = endpoints();
  let node: RunningNode;
  let running: Running;
  let service: Service;
  let hooked: Hooked;
  let miner: Rpc;
  let hidden: Rpc;
  let home: string;

  const mine = async (blocks = 1) => node.rpc<string[]>('generatetoaddress', blocks, home);

  const hide = async (coins: number) => miner('sendtoaddress', await hidden('getnewaddress', '', 'mweb'), coins);

  beforeAll(async () => {
    node = await startNode('litecoind');
    [miner, hidden] = [await node.wallet('miner'), await node.wallet('hidden')];
    home = await miner('getnewaddress');
    await mine(FIRST_WITH_EXTENSION - 1);
    // Without a coin that goes in, no block with an extension begins.
    await hide(2);
    await mine();
    ({ running, service, hooked } = await startLive(
      {
        ...{ LTC_NODE_URL: node.url, LTC_NETWORK: 'regtest', LTC_CONFIRMATIONS: '2' },
      },
      open,
    ));
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    await node?.stop();
  });

  /** Pays a deposit out of the extension; answers with the name that the payment waits under. */
  const pegOut = (deposit: DepositHandle): Promise<string> => {
    const keyHash = Buffer.from(scriptFor('LTC', deposit).slice('0014'.length), 'hex');
    const address = bech32.encode('rltc', [0, ...bech32.toWords(keyHash)]);
    return hidden('sendtoaddress', address, deposit.quote.crypto_amount.toFixed(8));
  };

  type Output = { readonly n: number; readonly scriptPubKey: { readonly hex: string } };
  type Transaction = { readonly txid: string; readonly vout: readonly Output[] };

  /** The transaction of a block that says what came out of the extension: the last one. */
  const exitOf = async (hash: string): Promise<Transaction> => {
    const last = (await node.rpc<{ tx: Transaction[] }>('getblock', hash, 2)).tx.at(-1);
    if (!last) throw new Error(`${hash} has no transaction`);
    return last;
  };

  it('are credited once, when their block is there, without a sender, and go to review', async () => {
    const deposit = await hooked.casino.deposit({ currency: 'LTC', amount: 10 });
    const script = scriptFor('LTC', deposit);
    const kernel = await pegOut(deposit);
    expect(await node.rpc<string[]>('getrawmempool')).toContain(kernel);
    const [hash = ''] = await mine();
    const exit = await exitOf(hash);
    expect(exit.txid).not.toBe(kernel);
    const vout = exit.vout.find(({ scriptPubKey }) => scriptPubKey.hex === script)?.n;
    expect((await untilStatus(deposit, 'Succeed')).status).toBe('Succeed');
    await mine();
    const found = await untilStatus(deposit, 'ConfirmedKYTReview');
    expect(found).toMatchObject({ status: 'ConfirmedKYTReview', kyt_status: 'review', decision: 'pending' });
    expect(await deposit.kyt('passed')).toBe('ignored');
    await mine(3);
    const followed = async () =>
      (await service.operator('GET', '/operator/chains')).body.chains as { height: number }[];
    const height = await node.rpc<number>('getblockcount');
    expect(await eventually(followed, ([chain]) => chain?.height === height)).toMatchObject([
      { height, unconfirmed: 0 },
    ]);
    const facts = (await historyOf(service, deposit)).filter(({ type }) => /^(Payment|Kyt)/.test(type));
    expect(facts).toMatchObject([
      { type: 'PaymentSeen', data: { payment: { txid: exit.txid, vout }, newFundingAddresses: [] } },
      { type: 'KytCompleted', data: { status: 'review', unknownSendersOf: exit.txid } },
      { type: 'PaymentConfirmed', data: { txid: exit.txid, vout, blockHash: hash } },
    ]);
    expect((await webhookOf(hooked.endpoint, deposit, 'transaction.confirmed')).body).toMatchObject({
      confirmed_crypto: deposit.quote.crypto_amount,
    });
  }, 60_000);

  it('are counted once when the chain gives their block up, and another transaction of another block pays them', async () => {
    const deposit = await hooked.casino.deposit({ currency: 'LTC', amount: 10 });
    const kernel = await pegOut(deposit);
    const raw = await node.rpc('getrawtransaction', kernel);
    const [hash = ''] = await mine(2);
    await untilStatus(deposit, 'ConfirmedKYTReview');
    const first = await exitOf(hash);
    await node.rpc('invalidateblock', hash);
    if (!(await node.rpc<string[]>('getrawmempool')).includes(kernel)) await node.rpc('sendrawtransaction', raw);
    await hide(1);
    const [instead = ''] = await mine(3);
    const second = await exitOf(instead);
    expect(second.txid).not.toBe(first.txid);
    const facts = async () =>
      (await historyOf(service, deposit)).flatMap(({ type, data }) => {
        const { txid, payment, replacedBy } = data as {
          txid?: string;
          payment?: { txid: string };
          replacedBy?: string;
        };
        return type.startsWith('Payment') ? [[type, payment?.txid ?? txid, ...(replacedBy ? [replacedBy] : [])]] : [];
      });
    expect(await eventually(facts, (all) => all.length === 6)).toEqual([
      ['PaymentSeen', first.txid],
      ['PaymentConfirmed', first.txid],
      ['PaymentReorged', first.txid],
      ['PaymentDropped', first.txid],
      ['PaymentSeen', second.txid],
      ['PaymentConfirmed', second.txid],
    ]);
    expect(await deposit.read()).toMatchObject({
      ...{ status: 'ConfirmedKYTReview', confirmed_crypto: deposit.quote.crypto_amount },
    });
  }, 60_000);
});
