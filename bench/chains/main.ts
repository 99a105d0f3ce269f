import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { migrations as addresses } from '#addresses';
import { migrations as partners } from '#partners';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { silentLogger } from '#platform/logging';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { migrations as watch } from '#watch';
import { type Signed, startUtxoChain } from '../../test/engines/chains/driver/index.ts';
import { database, PROJECT, run } from '../lib/processes.ts';
import { machine, table, writeJson } from '../lib/report.ts';
import { giveOut, scriptsOf } from './addresses.ts';

// usage: npm run bench -- chains [--addresses 10000000] [--blocks 1000] [--out bench/results/chains.json]
const { values } = parseArgs({
  options: {
    addresses: { type: 'string', default: '10000000' },
    blocks: { type: 'string', default: '1000' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/chains.json') },
  },
});
const [count, blocks] = [Number(values.addresses), Number(values.blocks)];
const LIMITS = { ordinaryMs: 500, crowdedMs: 1_500, memoryMiB: 300, blocksPerSecond: 50 };
/** Of an ordinary block: one that pays, and a rest. */
const ORDINARY = 6_000;

const directory = await mkdtemp(join(tmpdir(), 'bench-chains-'));
const server = await startEmbeddedPostgres({ dataDir: directory, settings: { fsync: 'off', shared_buffers: '512MB' } });
const chain = await startUtxoChain('bitcoind');
try {
  const { rpc } = chain.node;
  const url = await database(server.url, 'chains');
  for (const tables of [partners, addresses, watch]) await migrate(url, tables);
  const pool = createPool({ url, applicationName: 'bench', logger: silentLogger });
  await giveOut(pool, count);
  const ours = await scriptsOf(pool, 50);

  const begin = () =>
    run(['--conditions=source', join(PROJECT, 'bench/chains/watch.child.ts')], {
      DATABASE_URL: url,
      NODE_URL: chain.node.url,
    });
  const stands = async () => (await pool.query<{ hash: string }>('SELECT hash FROM chain_tips')).rows[0]?.hash;
  const untilAt = async (hash: string): Promise<number> => {
    const since = performance.now();
    while ((await stands()) !== hash) await delay(2);
    return performance.now() - since;
  };
  const best = () => rpc<string>('getbestblockhash');
  const end = async (child: ReturnType<typeof begin>): Promise<number> => {
    let said = '';
    child.stdout?.on('data', (text) => {
      said += text;
    });
    child.kill('SIGTERM');
    await once(child, 'close');
    return Number(said);
  };

  let watcher = begin();
  await untilAt(await best());

  /** 31,000 outputs, one of 600 for us. */
  const crowd = Array.from({ length: 13 }, () =>
    chain.payment(
      Array.from({ length: 2_385 }, (_, nth) => ({
        script: nth % 600 === 0 ? (ours[nth / 600] ?? '') : chain.wallet.script,
        amount: 9_000n,
      })),
      { fee: 900_000n },
    ),
  );
  const crowdedMs = await untilAt(await chain.mineOnly(crowd));

  const pieces = crowd.flatMap((signed) =>
    signed.outputs.flatMap(({ script, amount }, vout) =>
      script === chain.wallet.script && amount === 9_000n ? [{ txid: signed.txid, vout, amount }] : [],
    ),
  );
  const ordinary: Signed[] = pieces.slice(0, ORDINARY).map((coin, nth) =>
    chain.payment([{ script: nth % 600 === 0 ? (ours[nth / 600] ?? '') : chain.wallet.script, amount: 4_000n }], {
      coin,
      fee: 2_000n,
    }),
  );
  const hash = await chain.mineOnly(ordinary);
  const ordinaryMs = await untilAt(hash);
  const { size } = await rpc<{ size: number }>('getblock', hash, 1);
  const found = Number((await pool.query('SELECT count(*) AS n FROM chain_payments')).rows[0]?.n);

  const firstMemory = await end(watcher);
  for (let left = blocks; left > 0; left -= 100) await chain.mine(Math.min(100, left));
  const height = await rpc<number>('getblockcount');
  const since = performance.now();
  watcher = begin();
  while ((await stands()) === hash) await delay(2);
  const startedMs = performance.now() - since;
  const catchUpMs = await untilAt(await best());
  const memoryMiB = Math.max(firstMemory, await end(watcher));
  const { rows } = await pool.query<{ n: string }>('SELECT count(*) AS n FROM chain_blocks WHERE height > $1', [
    height - blocks,
  ]);
  await pool.end();

  const seen = {
    ...{ addresses: count, ordinaryBytes: size, ordinaryMs, crowdedMs, memoryMiB, found },
    ...{ blocks, applied: Number(rows[0]?.n), startedMs, blocksPerSecond: (blocks / catchUpMs) * 1_000 },
  };
  const holds =
    ordinaryMs <= LIMITS.ordinaryMs &&
    crowdedMs <= LIMITS.crowdedMs &&
    memoryMiB <= LIMITS.memoryMiB &&
    seen.blocksPerSecond >= LIMITS.blocksPerSecond &&
    seen.applied === blocks;
  const whole = (value: number): string => String(Math.round(value));
  process.stdout.write(
    `${table([
      [`${count.toLocaleString('en')} watched addresses`, 'seen', 'limit'],
      [`an ordinary block (${(size / 1e6).toFixed(2)} MB), ms`, whole(ordinaryMs), `≤ ${LIMITS.ordinaryMs}`],
      ['a block of 31,000 outputs, ms', whole(crowdedMs), `≤ ${LIMITS.crowdedMs}`],
      ['most memory of the watcher, MiB', whole(memoryMiB), `≤ ${LIMITS.memoryMiB}`],
      [`${seen.applied} missed blocks, a second`, whole(seen.blocksPerSecond), `≥ ${LIMITS.blocksPerSecond}`],
    ])}\n`,
  );
  await writeJson(values.out, { machine: machine(), limits: LIMITS, ...seen });
  if (!holds) process.exitCode = 1;
} finally {
  await chain.stop();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
