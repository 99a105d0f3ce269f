import { randomUUID } from 'node:crypto';
import { migrations as commandMigrations, depositStream, openDepositCommands } from '#deposit-commands';
import { type DepositCommand, type IssueQuote } from '#deposits';
import { history, issue } from '#deposits/testing';
import { knowingOperators } from '#door/access';
import { answeringCommands } from '#door/commands';
import type { DepositBody } from '#door/deposits';
import { createHttpApp, listen } from '#door/http';
import { serveDocs } from '#door/openapi';
import { migrations as logMigrations, openPostgresEventLog } from '#event-log/postgres';
import { decimalText } from '#money';
import { type OperatorRole, openPartners, migrations as partnerMigrations } from '#partners';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { migrate } from '#platform/migrations';
import { createPool } from '#platform/postgres';
import { createSecrets } from '#platform/secrets';
import { migrations as readMigrations, rememberedPlaces, startProjection, stopWaiting } from '#read-models';
import { depositStreams, depositsProjection, openDepositReads } from '#read-models/deposits';
import { readRoutes } from '../../api/deposits/read/read.controller.ts';
import { operatorDepositRoutes } from '../../operator/deposits/routes.ts';
import type { DamageBody, EventBody } from '../../operator/history/event-body.ts';

type Properties = { readonly [property: string]: { readonly description?: string; readonly example?: unknown } };

/** What the tests look at in an answer; which of it there is depends on the route. */
export type Answered = {
  readonly deposits: DepositBody[];
  readonly total: number;
  readonly next_cursor: string | null;
  readonly events: EventBody[];
  readonly damage?: DamageBody;
  readonly error?: { readonly name: string };
  readonly components: { readonly schemas: { readonly [name: string]: { readonly properties: Properties } } };
};

/** Accounts, a log, its projection, and the routes that read deposits: those of partners and those of operators. */
export const serveReads = async (url: string) => {
  for (const each of [partnerMigrations, logMigrations, readMigrations, commandMigrations]) await migrate(url, each);
  const pool = createPool({ url, applicationName: 'test', logger: silentLogger });
  const secrets = createSecrets('a key of tests');
  const partners = await openPartners({ pool, secrets, logger: silentLogger });
  const remembered = rememberedPlaces(pool, [depositStreams]);
  const log = await openPostgresEventLog({ databaseUrl: url, pastMs: 100, remembered });
  const reads = await openDepositReads({ url, pool, log });
  const running = startProjection({ projection: depositsProjection, log, pool, logger: silentLogger });
  const commands = openDepositCommands({
    pool,
    log,
    logger: silentLogger,
    bodyKey: Buffer.from('a key of tests'),
    currentRate: async () => decimalText('50'),
    isEnabled: async () => true,
    isReturningPlayer: reads.isReturningPlayer,
    casino: partners.casino,
    checkPlayer: async () => ({ outcome: 'verified', contactRef: 'a contact' }),
    takeAddress: async () => undefined,
    takeAddressWithin: async () => undefined,
    ofacDeadlineSeconds: 60,
    addressWaitMs: 0,
  });
  const imports = [
    knowingOperators(partners.authenticateOperator),
    readRoutes({ partners, reads }),
    operatorDepositRoutes({ reads, log, waiting: async () => [], namesOfActors: partners.accounts.namesOfActors }),
    answeringCommands(commands),
  ];
  const app = await createHttpApp(imports, { logger: silentLogger, metrics: createMetrics() });
  serveDocs(app);
  const base = await listen(app, { host: '127.0.0.1', port: 0 });
  const { accounts } = partners;

  return {
    accounts,
    log,
    app,
    /** What happened to the deposit stands in the log when this returns; nobody waits for the rows. */
    happened: async (terms: Partial<IssueQuote> & { depositId: number }, ...steps: readonly DepositCommand[]) => {
      const events = history(issue(terms), ...steps).map(({ type, data }) => ({
        id: randomUUID(),
        type,
        data: JSON.parse(JSON.stringify(data)),
        metadata: { occurredAt: '2026-03-01T12:00:00.000Z', actor: 'engine' },
      }));
      await log.append(depositStream(terms.depositId), 'no_stream', events);
    },
    operator: async (role: OperatorRole) => ({
      authorization: `Bearer ${(await accounts.tokens.add('test', { role })).token}`,
    }),
    ask: async (path: string, headers: Record<string, string>, body?: object) => {
      const response = await fetch(base + path, {
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Answered };
    },
    close: async () => {
      await app.close();
      await running.stop();
      await stopWaiting(pool);
      await reads.close();
      await log.close();
      await partners.close();
      await pool.end();
    },
  };
};
