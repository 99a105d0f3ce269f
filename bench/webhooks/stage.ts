import type pg from 'pg';
import { migrations as ofPartners, openPartners } from '#partners';
import { done } from '#partners/testing';
import { silentLogger } from '#platform/logging';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { createWebhookClient, migrations as ofWebhooks, type Targets, type WebhookClient } from '#webhooks';
import { type BareSender, openBareSender } from './bare.ts';
import { type Endpoints, openEndpoints } from './endpoints.ts';
import { SECRET } from './webhooks.ts';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** Casinos with an endpoint each, and what both senders stand on. */
export type Stage = {
  readonly pool: pg.Pool;
  readonly endpoints: Endpoints;
  readonly entityIds: readonly number[];
  readonly settings: Targets;
  readonly knownSettings: Targets;
  readonly client: WebhookClient;
  readonly bare: BareSender;
  readonly close: () => Promise<void>;
};

export const openStage = async (url: string, casinos: number): Promise<Stage> => {
  for (const migrations of [ofPartners, ofWebhooks]) await migrate(url, migrations);
  const pool = createPool({ url, applicationName: 'bench', logger: silentLogger, statementTimeoutMs: 0 });
  const partners = await openPartners({ pool, secrets: createSecrets(SECRETS_KEY), logger: silentLogger });
  const endpoints = await openEndpoints(casinos);
  const actor = 'operator token 1';
  const { id: affiliate_id } = await partners.accounts.affiliates.add(actor, { name: 'Bench' });
  const urlOf = new Map<number, string>();
  for (const [place, endpoint] of endpoints.urls.entries()) {
    const webhook = { url: endpoint, secret: SECRET };
    const { id } = await done(
      partners.accounts.entities.add(actor, { affiliate_id, name: `Casino ${place}`, webhook }),
    );
    urlOf.set(id, endpoint);
  }
  const client = createWebhookClient({ allowPrivate: true });
  const bare = openBareSender(urlOf);
  return {
    pool,
    endpoints,
    entityIds: [...urlOf.keys()],
    settings: partners,
    knownSettings: partners.known,
    client,
    bare,
    close: async () => {
      await Promise.all([client.close(), bare.close(), partners.close()]);
      endpoints.close();
      await pool.end();
    },
  };
};
