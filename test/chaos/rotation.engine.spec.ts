import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { migrations as ofAddresses } from '#addresses';
import { migrations as ofAudit } from '#audit';
import { rotateKeptSecrets } from '#ground';
import { migrations as ofPartners, openPartners, openSecrets, type Partners } from '#partners';
import { silentLogger } from '#platform/logging';
import { loadSecretsKey } from '#platform/secrets';
import { databasePerFile } from '../support/with-database.ts';
import { killedAfter } from './keeping/killed-soon.ts';

const FROM = '192.0.2.1';

const KILLS = 20;
/** A rotation takes about so long. */
const LIFE_MS = 1_500;
const CASINOS = 200;

const database = databasePerFile(ofPartners, ofAddresses, ofAudit);

it(`of a rotation that is killed ${KILLS} times no secret is ever unreadable, and it ends`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rotation-kills-'));
  const { pool, url } = database;
  const instance = async (): Promise<Partners> => {
    const secrets = await openSecrets(pool, () => loadSecretsKey(undefined, dataDir));
    return openPartners({ pool, secrets, logger: silentLogger });
  };
  const running = await instance();
  const made = await running.createDemonstration();
  if (!made) throw new Error('the demonstration is there already');
  const ids = [made.entityId];
  const webhook = { url: 'https://casino.example/hook', secret: 'what the partner chose' };
  await running.accounts.entities.change('test', { id: made.entityId, sent: { webhook } });
  while (ids.length < CASINOS) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO entities (affiliate_id, name, webhook_url, webhook_secret)
       SELECT affiliate_id, name || $2, webhook_url, webhook_secret FROM entities WHERE id = $1 RETURNING id`,
      [made.entityId, ids.length],
    );
    ids.push(rows[0]?.id ?? 0);
  }
  const readAll = async (partners: Partners): Promise<void> => {
    expect(await partners.authenticate(made.key, FROM)).toMatchObject({ outcome: 'authenticated' });
    for (const id of ids) expect((await partners.webhookOf(id))?.secret).toBe('what the partner chose');
  };
  let over = false;
  const reading = (async () => {
    while (!over) await readAll(running);
  })();
  let kills = 0;
  while (kills < KILLS) {
    if (await killedAfter('rotate.main.ts', { url, dataDir }, Math.random() * LIFE_MS)) kills += 1;
    const next = await instance();
    await readAll(next);
    await next.close();
  }
  await rotateKeptSecrets({ pool, configuration: { dataDir, secretsKey: undefined }, actor: 'test' });
  over = true;
  await reading;
  await readAll(running);
  await running.close();
  const { rows } = await pool.query<{ heads: number; rings: number }>(
    `SELECT count(DISTINCT substring(webhook_secret from 1 for 5))::int AS heads,
            (SELECT count(*)::int FROM secrets_rings) AS rings FROM entities WHERE webhook_secret IS NOT NULL`,
  );
  expect(rows).toEqual([{ heads: 1, rings: 1 }]);
  await rm(dataDir, { recursive: true });
}, 300_000);
