import type pg from 'pg';
import { silentLogger } from '#platform/logging';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { openPartners, type Partners } from '../index.ts';
import type { OperatorChecks } from '../operators/operator.ts';

export type TestPartners = {
  readonly pool: pg.Pool;
  readonly partners: Partners;
  readonly secrets: ReturnType<typeof createSecrets>;
  readonly close: () => Promise<void>;
};

/** One instance on a database with its tables, which may already have others. */
export const openTestPartners = async (
  url: string,
  secretsKey = 'a key of tests',
  more: Partial<OperatorChecks> = {},
): Promise<TestPartners> => {
  const pool = createPool({ url, applicationName: 'test', logger: silentLogger });
  const secrets = createSecrets(secretsKey);
  const checks = async () => ({ fourEyes: false, personSeconds: undefined, ...more });
  const close = async (): Promise<void> => {
    await partners?.close();
    await pool.end();
  };
  let partners: Partners | undefined;
  try {
    partners = await openPartners({ pool, secrets, logger: silentLogger, checks });
  } catch (error) {
    await close();
    throw error;
  }
  return { pool, partners, secrets, close };
};
