import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { createMetrics } from '#platform/metrics';
import { registerChainGauges } from './metrics.ts';

it('names the metrics of chains as their page does', async () => {
  const metrics = createMetrics();
  registerChainGauges({ metrics, pool: new pg.Pool() });
  const told = metrics.registry.getMetricsAsArray().map(({ name }) => name);
  const page = await readFile(join(import.meta.dirname, '../../docs/reference/metrics.md'), 'utf8');
  const named = [...page.matchAll(/^\| `(chain_[a-z_]+)`/gm)].map(([, name = '']) => name);
  expect(told.filter((name) => name.startsWith('chain_')).toSorted()).toEqual(named.toSorted());
});
