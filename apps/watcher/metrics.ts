import { Gauge } from 'prom-client';
import type { Ground } from '#ground';
import { remember } from '#platform/remembered';
import { type ChainReport, chainReports } from '#watch';

type Told = { readonly name: string; readonly help: string; readonly of: (chain: ChainReport) => number };

const lagOf = ({ height, nodes }: ChainReport): number =>
  height === null ? 0 : Math.max(0, ...nodes.map((node) => (node.height ?? 0) - height));

const told: readonly Told[] = [
  { name: 'chain_tip_height', help: 'The block that was applied last', of: ({ height }) => height ?? 0 },
  { name: 'chain_lag_blocks', help: 'Blocks of the best node that are not applied yet', of: lagOf },
  { name: 'chain_held', help: '1 while the chain does not go on', of: ({ held }) => (held ? 1 : 0) },
  { name: 'chain_payments_waiting', help: 'Payments in no block', of: ({ waiting }) => waiting },
  {
    name: 'chain_payments_unconfirmed',
    help: 'Payments in a block, not deep enough',
    of: ({ unconfirmed }) => unconfirmed,
  },
  { name: 'chain_signals_unsent', help: 'What happened on chain and is not told yet', of: ({ unsent }) => unsent },
];

/** Asked of the database at each scrape: every watcher tells the same, whichever follows a chain. */
export const registerChainGauges = ({ metrics, pool }: Pick<Ground, 'metrics' | 'pool'>): void => {
  const { get: reports } = remember(() => chainReports(pool));
  const registers = [metrics.registry];
  for (const { of, ...about } of told)
    new Gauge({
      ...{ ...about, labelNames: ['chain'], registers },
      async collect() {
        this.reset();
        for (const chain of await reports().catch(() => [])) this.set({ chain: chain.currency }, of(chain));
      },
    });
  new Gauge({
    ...{ name: 'chain_node_ok', help: '1 while a node may confirm payments', labelNames: ['chain', 'node'], registers },
    async collect() {
      this.reset();
      for (const { currency: chain, nodes } of await reports().catch(() => []))
        for (const { name: node, state } of nodes) this.set({ chain, node }, state === 'ok' ? 1 : 0);
    },
  });
};
