import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChainNode, ethereumNode } from '#chains';
import { describeWhere } from '../../support/jest-left-out.ts';
import { brokenTraces } from './driver/broken-traces.ts';
import { contracts, word } from './driver/contracts.ts';
import { type EthereumChain, startEthereumChain } from './driver/ethereum-chain.ts';
import { digitsOf, rlpList, rlpOf, signedOf, signedPlain } from './driver/signed.ts';
import { missingNode } from './nodes/index.ts';

const SIGNER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

/** The commitment to a blob of zeros, and its proof: the point that is none. */
const NOTHING = `c0${'00'.repeat(47)}`;
const NOTHINGS_HASH = `01${createHash('sha256').update(Buffer.from(NOTHING, 'hex')).digest('hex').slice(2)}`;

const COIN = 1_234_567_890_123_456_789n;

for (const [name, chainId] of [
  ['anvil', '31337'],
  ['geth', '1337'],
] as const) {
  const missing = await missingNode(name);

  describeWhere(missing === undefined, missing ?? '')(`a node of ETH: ${name}`, () => {
    let chain: EthereumChain;
    let node: ChainNode;
    beforeAll(async () => {
      chain = await startEthereumChain(name);
      node = ethereumNode({ url: chain.node.url, network: chainId });
    }, 60_000);
    afterAll(() => chain?.stop());

    const somebody = (): string => `0x${randomBytes(20).toString('hex')}`;

    /** What a block says that was paid to an address, and what the state says. */
    const paidTo = async (address: string, { txid, blockHash }: { txid: string; blockHash: string }) => {
      const block = await node.block(blockHash);
      const transaction = block?.transactions.find((each) => each.txid === txid);
      const outputs = transaction?.outputs.filter(({ script }) => script === address) ?? [];
      const paid = outputs.map(({ vout, amount }) => [vout, amount]);
      const gain = block?.gains?.find((each) => each.txid === txid && each.script === address);
      return { paid, state: gain?.amount ?? 0n, senders: transaction?.senders };
    };

    const through = async (runtime: keyof typeof contracts, address: string, more = '') => {
      const to = await chain.deploy(contracts[runtime]);
      const data = `0x${word(address)}${more}`;
      return { to, ...(await paidTo(address, await chain.run({ to, value: COIN, data }))) };
    };

    it('is known by its chain id, and is no node of another network', async () => {
      expect(await node.check()).toBeUndefined();
      const other = ethereumNode({ url: chain.node.url, network: 'main' });
      expect(await other.check()).toMatch(`is not of ETH's network main: its chain id is ${chainId}`);
    });

    it('is read while it indexes the blocks that it has, which geth calls syncing, but for its first', async () => {
      const says = await chain.node.rpc<object | false>('eth_syncing');
      expect(await node.tip()).toMatchObject({ height: 0, isSyncing: says !== false });
      await chain.run({ to: somebody(), value: 1n });
      expect(await node.tip()).toMatchObject({ height: 1, isSyncing: false });
    });

    it('is refused without traces', async () => {
      const front = await brokenTraces(chain.node.url, 'missing');
      const deaf = ethereumNode({ url: front.url, network: chainId });
      expect(await deaf.check()).toMatch('does not trace: without debug_traceBlockByHash');
      await front.stop();
    });

    describe('the bytes of a transaction', () => {
      const to = 'cd'.repeat(20);
      const [GAS, TIP, FEE] = ['030d40', '3b9aca00', '174876e800'];
      const own = digitsOf(Number(chainId));

      /** As nodes prove it that they are one that came along, of a blob of nothing. */
      const blobOf = (signed: string, ...mark: readonly string[]): string => {
        const outer = [...mark, ['00'.repeat(131_072)], [NOTHING], Array(mark.length > 0 ? 128 : 1).fill(NOTHING)];
        return `03${rlpList(signed.slice(2) + outer.map(rlpOf).join(''))}`;
      };

      /** Whoever signs here has to have something, and sends with his own numbers. */
      const sent = async (sign: (nonce: string) => string | readonly string[]) => {
        await chain.run({ to: SIGNER, value: COIN });
        const nonce = Number(await chain.node.rpc<string>('eth_getTransactionCount', SIGNER, 'latest'));
        const all = [sign(digitsOf(nonce))].flat();
        const txids = await Promise.allSettled(
          all.map((digits) => chain.node.rpc<string>('eth_sendRawTransaction', `0x${digits}`)),
        );
        const txid = txids.find((each) => each.status === 'fulfilled')?.value;
        if (txid === undefined) throw new Error(String(txids.map((each) => each.status === 'rejected' && each.reason)));
        const facts = {
          inputs: [`${SIGNER}:${nonce}`],
          senders: [SIGNER],
          outputs: [{ vout: 0, script: `0x${to}`, amount: 70_000n }],
        };
        return { txid, facts };
      };

      const dynamic = (nonce: string) => [own, nonce, TIP, FEE, GAS, to, '011170', '', []];

      it.each([
        ['without a type', (nonce: string) => signedPlain([nonce, FEE, GAS, to, '011170', ''], Number(chainId))],
        [
          'of type 1',
          (nonce: string) => signedOf(1, [own, nonce, FEE, GAS, to, '011170', '', [[to, ['00'.repeat(32)]]]]),
        ],
        ['of type 2', (nonce: string) => signedOf(2, dynamic(nonce))],
        [
          'of type 3',
          (nonce: string) => {
            const signed = signedOf(3, [...dynamic(nonce), FEE, [NOTHINGS_HASH]]);
            return [blobOf(signed, '01'), blobOf(signed)];
          },
        ],
        ['of type 4', (nonce: string) => signedOf(4, [...dynamic(nonce), [[own, to, '', '', '01', '01']]])],
      ])('say all that the node says of it, waiting and mined: %s', async (_, sign) => {
        const { txid, facts } = await sent(sign);
        expect([await node.saysOf?.(txid), await node.provenBy?.(txid)]).toMatchObject([facts, facts]);
        await chain.mine();
        expect([await node.saysOf?.(txid), await node.provenBy?.(txid)]).toMatchObject([facts, facts]);
      });
    });

    describe('what pays', () => {
      it('is what is sent', async () => {
        const address = somebody();
        const { paid, state, senders } = await paidTo(address, await chain.run({ to: address, value: COIN }));
        expect([paid, state, senders]).toEqual([[[0, COIN]], COIN, [chain.accounts[0]]]);
      });

      it('is what a contract passes on, with the contract among the senders', async () => {
        const address = somebody();
        const { to, paid, state, senders } = await through('forward', address);
        expect([paid, state, senders]).toEqual([[[1, COIN]], COIN, [chain.accounts[0], to.toLowerCase()]]);
      });

      it('is the sum of two calls in one transaction', async () => {
        const { paid, state } = await through('inTwo', somebody());
        const sum = (COIN / 2n) * 2n;
        expect([paid, state]).toEqual([[[1, sum]], sum]);
      });

      it.each(['destroy', 'destroyDearly'] as const)('is what a contract leaves that ends itself: %s', async (how) => {
        const { paid, state } = await through(how, somebody());
        expect([paid, state]).toEqual([[[1, COIN]], COIN]);
      });
    });

    describe('what does not', () => {
      it('is DELEGATECALL, though a value is shown', async () => {
        const { paid, state } = await through('delegate', somebody());
        expect([paid, state]).toEqual([[], 0n]);
      });

      it('is a call under one that was taken back', async () => {
        const inner = await chain.deploy(contracts.forwardAndRevert);
        const { paid, state } = await through('goOn', somebody(), word(inner));
        expect([paid, state]).toEqual([[], 0n]);
      });

      it('is a call of a transaction that was taken back', async () => {
        const { paid, state } = await through('forwardAndRevert', somebody());
        expect([paid, state]).toEqual([[], 0n]);
      });
    });

    it('holds a block when one trace failed', async () => {
      const { blockHash } = await chain.run({ to: somebody(), value: COIN });
      const front = await brokenTraces(chain.node.url, 'failing');
      const cut = ethereumNode({ url: front.url, network: chainId });
      await expect(cut.block(blockHash)).rejects.toThrow(/has no trace: the history was pruned/);
      await front.stop();
    });

    it('knows nothing of blocks and transactions that are not there', async () => {
      const { height } = await node.tip();
      expect(await node.hashAt(height + 10)).toBeUndefined();
      expect(await node.block(`0x${'11'.repeat(32)}`)).toBeUndefined();
      expect(await node.raw(`0x${'11'.repeat(32)}`)).toBeUndefined();
    });

    it('tells blocks by hash and parent, and how deep they are settled', async () => {
      await chain.run({ to: somebody(), value: COIN });
      const tip = await node.tip();
      expect((await node.block(tip.hash))?.parent).toBe(await node.hashAt(tip.height - 1));
      expect(await node.settledHeight('safe')).toBeLessThanOrEqual(tip.height);
    });
  });
}

const missing = await missingNode('anvil');

describeWhere(missing === undefined, missing ?? '')('what waits at a node of ETH', () => {
  let chain: EthereumChain;
  let node: ChainNode;
  beforeAll(async () => {
    chain = await startEthereumChain('anvil');
    node = ethereumNode({ url: chain.node.url, network: '31337' });
  }, 60_000);
  afterAll(() => chain?.stop());

  it('is told before it is in a block, excludes what has the same number, and can be counted on when it is next', async () => {
    const to = `0x${'ab'.repeat(20)}`;
    const first = await chain.send({ to, value: COIN, nonce: 0, tip: 2n });
    const second = await chain.send({ to, value: COIN, nonce: 1, tip: 2n });
    expect(await node.mempool()).toEqual(expect.arrayContaining([first, second]));
    const [next, later] = await node.transactions([first, second]);
    expect(next).toMatchObject({
      inputs: [`${chain.accounts[0]}:0`],
      senders: [chain.accounts[0]],
      replaceable: false,
    });
    expect(next?.outputs).toEqual([{ vout: 0, script: to, amount: COIN }]);
    expect(next && (await node.doubt(next))).toBeUndefined();
    expect(later && (await node.doubt(later))).toBe('it is not the next transaction of its sender');
    expect(await node.raw(first)).toMatch(/^0x02/);

    const instead = await chain.send({ to, value: 1n, nonce: 0, tip: 50n });
    await node.mempool();
    expect(await node.spenders([`${chain.accounts[0]}:0`])).toEqual([instead]);
    expect(await node.raw(first)).toBeUndefined();
    expect(await node.transactions([first])).toEqual([]);
  });

  it('does not wait there while its sender has left a number out, and does once that is filled', async () => {
    const [, from = ''] = chain.accounts;
    const to = `0x${'cd'.repeat(20)}`;
    const later = await chain.send({ to, value: COIN, from, nonce: 1, tip: 2n });
    expect(await node.raw(later)).toMatch(/^0x02/);
    expect(await node.hasWaiting?.(later)).toBe(false);
    await chain.send({ to, value: COIN, from, nonce: 0, tip: 2n });
    expect(await node.hasWaiting?.(later)).toBe(true);
    await chain.mine();
    expect(await node.hasWaiting?.(later)).toBe(true);
    expect(await node.hasWaiting?.(`0x${'ef'.repeat(32)}`)).toBe(false);
  });
});
