import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { ethereumNode } from '#chains';
import { brokenTraces } from '../../test/engines/chains/driver/broken-traces.ts';
import { contracts, word } from '../../test/engines/chains/driver/contracts.ts';
import { type EthereumChain, startEthereumChain } from '../../test/engines/chains/driver/ethereum-chain.ts';
import { missingNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations } from './index.ts';
import { watching } from './testing/watching.ts';

const SUM = 100_000n;
const TOLD = '0.0000000000001';

/** What it is told is none, so that all that passes on what it is paid pays the address of zeros. */
const NOBODY = '00'.repeat(20);

/** Makes a contract with what it is sent that leaves all that it has to nobody and is gone; answers with its address. */
const FACTORY = `7573${NOBODY}ff5f525f6016600a34f55f5260205ff3`;

/** Has the code of another contract run as its own, as most addresses of such a kind do. */
const proxyOf = (contract: string): string =>
  `363d3d373d3d3d363d73${contract.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`;

for (const [name, chainId] of [
  ['anvil', '31337'],
  ['geth', '1337'],
] as const) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`an address of ${name} that passes on what it is paid`, () => {
    const database = databasePerTest(...addressesTables, migrations);
    const other = `0x${'ab'.repeat(20)}`;
    let chain: EthereumChain;
    beforeAll(async () => {
      chain = await startEthereumChain(name);
    }, 60_000);
    afterAll(() => chain?.stop());

    const watched = async (deposit: string, url = chain.node.url) => {
      const watch = watching(database, 'ETH', [ethereumNode({ url, network: chainId })]);
      await watch.give(deposit, 1);
      await watch.give(other, 2);
      await watch.turn();
      return watch;
    };

    /** What is told once the next block is read too. */
    const toldAfter = async (watch: Awaited<ReturnType<typeof watched>>) => {
      await chain.run({ to: other, value: SUM });
      await watch.turns(2);
      expect(await watch.report()).toMatchObject({ held: null });
      const told = (await watch.told()).filter(({ type }) => type === 'payment.seen');
      return told.map(({ deposit_id, vout, amount }) => [deposit_id, vout, amount]);
    };
    const next = [2, 0, TOLD];

    it.each(['forward', 'inTwo', 'half', 'destroy'] as const)('is paid what came in: %s', async (how) => {
      const to = (await chain.deploy(contracts[how])).toLowerCase();
      const watch = await watched(to);
      await chain.run({ to, value: SUM });
      expect(await toldAfter(watch)).toEqual([[1, 0, TOLD], next]);
    });

    it('is paid what contracts send it, behind a proxy too', async () => {
      const to = (await chain.deploy(proxyOf(await chain.deploy(contracts.forward)))).toLowerCase();
      const payer = await chain.deploy(contracts.forward);
      const watch = await watched(to);
      await chain.run({ to: payer, value: SUM, data: `0x${word(to)}` });
      expect(await toldAfter(watch)).toEqual([[1, 1, TOLD], next]);
    });

    it('is paid once, whatever it sends itself', async () => {
      const to = (await chain.deploy(contracts.forward)).toLowerCase();
      const watch = await watched(to);
      await chain.run({ to, value: SUM, data: `0x${word(to)}` });
      expect(await toldAfter(watch)).toEqual([[1, 0, TOLD], next]);
    });

    it('is paid though it ends with all that it had before', async () => {
      const factory = await chain.deploy(FACTORY);
      const made = await chain.node.rpc<string>('eth_call', { to: factory }, 'latest');
      const deposit = `0x${made.slice(-40)}`;
      const watch = await watched(deposit);
      await chain.run({ to: deposit, value: SUM });
      await chain.run({ to: factory, value: SUM });
      expect(await toldAfter(watch)).toEqual([[1, 0, TOLD], [1, 1, TOLD], next]);
    });

    if (name === 'anvil')
      it('is paid where its owner lent it the code of a contract', async () => {
        const [, , owner = ''] = chain.accounts;
        const contract = await chain.deploy(contracts.forward);
        await chain.node.rpc('anvil_setCode', owner, `0xef0100${contract.slice(2)}`);
        const watch = await watched(owner.toLowerCase());
        await chain.run({ to: owner, value: SUM });
        expect(await toldAfter(watch)).toEqual([[1, 0, TOLD], next]);
      });

    it('holds the block as before where no call tells that it passed anything on', async () => {
      const to = (await chain.deploy(contracts.forward)).toLowerCase();
      const front = await brokenTraces(chain.node.url, 'shallow');
      database.atEnd(front.stop);
      const watch = await watched(to, front.url);
      const { txid } = await chain.run({ to, value: SUM });
      await watch.turns(2);
      expect(await watch.report()).toMatchObject({
        held: { reason: `${txid} pays ${to} ${SUM} by its calls and 0 by the state: one of them is wrong` },
      });
      expect(await watch.told()).toEqual([]);
    });
  });
}
