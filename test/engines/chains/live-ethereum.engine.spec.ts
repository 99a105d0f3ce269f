import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type DepositHandle,
  endpoints,
  eventually,
  type Hooked,
  type Running,
  type Service,
} from '../../acceptance/harness/index.ts';
import { describeWhere } from '../../support/jest-left-out.ts';
import { contracts, word } from './driver/contracts.ts';
import { type EthereumChain, startEthereumChain } from './driver/ethereum-chain.ts';
import { historyOf, startLive, untilStatus } from './driver/live.ts';
import { missingNode } from './nodes/index.ts';

for (const [name, network] of [
  ['anvil', '31337'],
  ['geth', '1337'],
] as const) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`ETH on a real node: ${name}`, () => {
    const open = endpoints();
    let chain: EthereumChain;
    let running: Running;
    let service: Service;
    let hooked: Hooked;

    beforeAll(async () => {
      chain = await startEthereumChain(name);
      ({ running, service, hooked } = await startLive(
        {
          ...{ ETH_NODE_URL: chain.node.url, ETH_NETWORK: network, ETH_CONFIRMATIONS: '1' },
          ETH_HEAD_MAX_AGE_S: '3600',
        },
        open,
      ));
    }, 90_000);
    afterAll(async () => {
      await running?.stop();
      await chain?.stop();
    });

    const order = (fields = {}) => hooked.casino.deposit({ currency: 'ETH', ...fields });
    const owed = ({ quote }: DepositHandle): bigint => BigInt(Math.round(quote.crypto_amount * 1e8)) * 10_000_000_000n;

    it('is seen, confirmed and accepted', async () => {
      const deposit = await order();
      const txid = await chain.send({ to: deposit.quote.address, value: owed(deposit) });
      // Geth mines what is sent at once.
      if (name === 'anvil') expect((await untilStatus(deposit, 'Succeed')).status).toBe('Succeed');
      await chain.mine();
      expect((await untilStatus(deposit, 'Confirmed')).status).toBe('Confirmed');
      await deposit.screen();
      expect((await deposit.accept()).status).toBe(200);
      const seen = (await historyOf(service, deposit)).find(({ type }) => type === 'PaymentSeen');
      expect(seen?.data).toMatchObject({ payment: { txid, vout: 0 } });
    });

    it('is credited with what a contract passes on', async () => {
      const deposit = await order();
      const to = await chain.deploy(contracts.forward);
      await chain.run({ to, value: owed(deposit), data: `0x${word(deposit.quote.address)}` });
      expect((await untilStatus(deposit, 'Confirmed')).status).toBe('Confirmed');
      const seen = (await historyOf(service, deposit)).find(({ type }) => type === 'PaymentSeen');
      expect(seen?.data).toMatchObject({
        payment: { vout: 1 },
        newFundingAddresses: [chain.accounts[0], to.toLowerCase()],
      });
    });

    // There nothing waits long enough to be replaced.
    if (name === 'geth') return;

    it('is double-spent by another transaction with the same number', async () => {
      const deposit = await order({ no_conf: true });
      const [, from = ''] = chain.accounts;
      const value = owed(deposit);
      await chain.send({ to: deposit.quote.address, value, from, nonce: 0, tip: 2n });
      await untilStatus(deposit, 'Succeed');
      const other = await chain.send({ to: chain.accounts[2] ?? '', value: 1n, from, nonce: 0, tip: 50n });
      const found = await eventually(deposit.read, ({ double_spend_txid }) => double_spend_txid === other);
      expect(found).toMatchObject({ no_conf_state: 'double_spent', double_spend_txid: other });
    });
  });
}
