import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressesTables } from '#addresses/testing';
import { bitcoinLikeNode, type ChainNode } from '#chains';
import { createLog } from '#platform/logging';
import { eventually } from '../../test/acceptance/harness/waiting.ts';
import { startUtxoChain, type UtxoChain } from '../../test/engines/chains/driver/index.ts';
import { missingNode, type RunningNode, startNode } from '../../test/engines/chains/nodes/index.ts';
import { describeWhere } from '../../test/support/jest-left-out.ts';
import { databasePerTest } from '../../test/support/with-database.ts';
import { migrations, startWatch } from './index.ts';
import { nothingTold } from './testing/nothing-told.ts';

const missing = await missingNode('bitcoind');

/** "The operator hears of it within 30 s." */
const HEARD_MS = 30_000;

type Line = { readonly alert?: string; readonly node?: string; readonly state?: string };

describeWhere(missing === undefined, missing ?? '')('a sick node, at the pace of the service', () => {
  const database = databasePerTest(...addressesTables, migrations);
  let chain: UtxoChain;
  let second: RunningNode;

  const nodeAt = ({ url }: RunningNode, network = 'regtest'): ChainNode =>
    bitcoinLikeNode({ url, coin: 'BTC', network });
  const headOf = ({ rpc }: RunningNode) => rpc<string>('getbestblockhash');
  const untilSame = async (one: RunningNode, two: RunningNode) => {
    const same = async () => {
      const is = (await headOf(one)) === (await headOf(two));
      if (!is) await two.rpc('addnode', `127.0.0.1:${one.peerPort}`, 'onetry');
      return is;
    };
    expect(await eventually(same, (is) => is, 30_000)).toBe(true);
  };

  beforeAll(async () => {
    chain = await startUtxoChain('bitcoind');
    second = await startNode('bitcoind');
    await untilSame(chain.node, second);
  }, 90_000);
  afterAll(async () => {
    await chain?.stop();
    await second?.stop();
  });

  const watching = (nodes: readonly ChainNode[], { agree = 1, headMaxAgeMs = 86_400_000 } = {}) => {
    const said: Line[] = [];
    const told: unknown[] = [];
    let ahead = 0;
    const { logger } = createLog({ level: 'info', to: { write: (line) => void said.push(JSON.parse(line)) } });
    const { stop } = startWatch({
      ...{ pool: database.pool, logger, isFault: () => false, isFast: async () => false, fullRbf: 'allow' },
      told: nothingTold,
      now: () => new Date(Date.now() + ahead),
      chains: [{ coin: 'BTC', nodes, agree, confirmations: [{ from: 0n, need: 1 }], headMaxAgeMs, dust: 0n }],
      takeSignals: async (signals) =>
        signals.map((signal) => {
          told.push((signal as { readonly type: string }).type);
          return { signal_id: '', outcome: 'applied', detail: null };
        }),
    });
    database.atEnd(stop);
    /** How long it took until the operator was told this of the node. */
    const heard = async (node: ChainNode, state: string): Promise<number> => {
      const since = performance.now();
      const last = async () => said.findLast((line) => line.node === node.name);
      expect(await eventually(last, (line) => line?.state === state, 60_000)).toMatchObject({
        ...{ state, ...(state !== 'ok' && { alert: 'chain_node' }) },
      });
      return performance.now() - since;
    };
    const stands = async () => (await database.pool.query('SELECT hash FROM chain_tips')).rows[0]?.hash;
    return {
      ...{ heard, told, stop },
      pass: (ms: number) => {
        ahead += ms;
      },
      untilFollowed: async (node = chain.node) => {
        const head = await headOf(node);
        expect(await eventually(stands, (hash) => hash === head, 60_000)).toBe(head);
      },
    };
  };

  const pay = async () => {
    const script = `0014${randomBytes(20).toString('hex')}`;
    await database.pool.query(
      `INSERT INTO pool_addresses (currency, address, address_key, script, source, deposit_id, taken_at)
       VALUES ('BTC', $1, $1, $1, 'added', 1, now())`,
      [script],
    );
    await chain.send(chain.payment([{ script, amount: 70_000n }]));
  };
  const confirmed = async (told: readonly unknown[]) =>
    expect(
      await eventually(
        async () => told.length,
        (count) => count === 2,
        60_000,
      ).then(() => told),
    ).toEqual([...['payment.seen', 'payment.confirmed']]);

  it('that is frozen is told of in time, and of its recovery', async () => {
    const node = nodeAt(chain.node);
    const { heard, told, untilFollowed } = watching([node]);
    await untilFollowed();
    await pay();
    chain.node.freeze();
    const ms = await heard(node, 'unreachable').finally(chain.node.thaw);
    expect(ms).toBeLessThan(HEARD_MS);
    await heard(node, 'ok');
    await chain.mine();
    await confirmed(told);
  }, 150_000);

  it('whose newest block grows too old is told of in time, and of its recovery', async () => {
    const node = nodeAt(chain.node);
    const { heard, told, untilFollowed, pass } = watching([node], { headMaxAgeMs: 5_400_000 });
    await chain.mine();
    await untilFollowed();
    pass(5_400_000);
    expect(await heard(node, 'stale')).toBeLessThan(HEARD_MS);
    await pay();
    await chain.node.rpc('setmocktime', Math.floor(Date.now() / 1_000) + 5_400);
    try {
      await chain.mine();
      await heard(node, 'ok');
      await confirmed(told);
    } finally {
      await chain.node.rpc('setmocktime', 0);
    }
  }, 150_000);

  it('that stands on another branch is told of in time, and of its recovery', async () => {
    const other = nodeAt(second);
    await untilSame(chain.node, second);
    const { heard, told, untilFollowed } = watching([nodeAt(chain.node), other], { agree: 2 });
    await untilFollowed();
    await second.rpc('setnetworkactive', false);
    await pay();
    await chain.mine();
    await second.rpc('generatetoaddress', 1, chain.wallet.address('bcrt'));
    expect(await heard(other, 'elsewhere')).toBeLessThan(HEARD_MS);
    expect(told).not.toContain('payment.confirmed');
    await second.rpc('setnetworkactive', true);
    await chain.mine();
    await untilSame(chain.node, second);
    await heard(other, 'ok');
    await confirmed(told);
  }, 150_000);

  it('that forgot what comes next is told of in time, and of its recovery once another gave it', async () => {
    const pruned = await startNode('bitcoind', ['-txindex=0', '-prune=1', '-fastprune']);
    const whole = await startNode('bitcoind');
    database.atEnd(async () => {
      await pruned.stop();
      await whole.stop();
    });
    const mineTo = (blocks: number) => whole.rpc('generatetoaddress', blocks, chain.wallet.address('bcrt'));
    await mineTo(5);
    await untilSame(whole, pruned);
    const before = watching([nodeAt(pruned)]);
    await before.untilFollowed(pruned);
    await before.stop();
    await mineTo(700);
    await untilSame(whole, pruned);
    await pruned.rpc('pruneblockchain', 400);
    const [forgetful, other] = [nodeAt(pruned), nodeAt(whole)];
    whole.freeze();
    const { heard, untilFollowed } = watching([forgetful, other]);
    expect(await heard(forgetful, 'pruned').finally(whole.thaw)).toBeLessThan(HEARD_MS);
    await untilFollowed(whole);
    await heard(forgetful, 'ok');
  }, 150_000);

  it('of another network is told of in time, and never read', async () => {
    const node = nodeAt(chain.node, 'main');
    const { heard } = watching([node]);
    expect(await heard(node, 'wrong')).toBeLessThan(HEARD_MS);
    expect((await database.pool.query('SELECT FROM chain_tips')).rowCount).toBe(0);
  }, 90_000);
});
