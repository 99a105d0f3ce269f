import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { machine, table, writeJson } from '../lib/report.ts';
import { ratios, type Spread, spreadOf } from '../lib/statistics.ts';
import { type Contestant, startBare, startOurs } from './contestants.ts';

// usage: npm run bench -- legacy [--rounds 5] [--creates 1000] [--callers 16] [--out bench/results/legacy.json]
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    creates: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '16' },
    out: { type: 'string', default: join(import.meta.dirname, '../results/legacy.json') },
  },
});
const [rounds, creates, callers] = [Number(values.rounds), Number(values.creates), Number(values.callers)];
const WARM_UPS = 1;
/** Of a bare service that does the same writes. */
const LIMIT = 0.4;

const create = async ({ url, token }: Contestant): Promise<void> => {
  const order = {
    access_token: token,
    email: 'payer@mail.example',
    amount: 100,
    crypto_selected: 'BCH',
    label: 'order',
  };
  const answer = await fetch(`${url}/create_transaction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a create was answered ${answer.status}`);
};

const perSecond = async (contestant: Contestant): Promise<number> => {
  const start = performance.now();
  let left = creates;
  const caller = async (): Promise<void> => {
    while (left-- > 0) await create(contestant);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return creates / ((performance.now() - start) / 1_000);
};

const text = ({ median, min, max }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;

const dataDir = await mkdtemp(join(tmpdir(), 'cointill-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir });
const addresses = Math.ceil((creates * (rounds + WARM_UPS)) / 1_000) * 1_000;
const contestants: Contestant[] = [];
try {
  const bare = await startBare(postgres.url, addresses);
  contestants.push(bare);
  const ours = await startOurs(postgres.url, dataDir, addresses);
  contestants.push(ours);
  // By turns, so that the machine's good and bad minutes meet both.
  const figures = { ours: [] as number[], bare: [] as number[] };
  for (let round = -WARM_UPS; round < rounds; round++) {
    const [one, other] = [await perSecond(ours), await perSecond(bare)];
    if (round >= 0) figures.ours.push(one);
    if (round >= 0) figures.bare.push(other);
  }
  const ratio = ratios(figures.ours, figures.bare);
  const row = [text(spreadOf(figures.ours), 0), text(spreadOf(figures.bare), 0), text(ratio, 2)];
  console.log(table([['ours/s: median (min–max)', 'bare/s', 'ours / bare'], row]));
  console.log(
    `\nours / bare: ${ratio.median.toFixed(2)} (at least ${LIMIT}: ${ratio.median >= LIMIT ? 'kept' : 'MISSED'})`,
  );
  await writeJson(values.out, {
    machine: machine(),
    loadAverage: loadavg(),
    rounds,
    creates,
    callers,
    ...figures,
    ratio,
  });
  process.exitCode = ratio.median >= LIMIT ? 0 : 1;
} finally {
  for (const { stop } of contestants.toReversed()) await stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
