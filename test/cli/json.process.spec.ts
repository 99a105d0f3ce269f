import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { openPostgresEventLog } from '#event-log/postgres';
import { commands } from '../../apps/cli/commands.ts';
import {
  type Casino,
  type DepositHandle,
  done,
  endpoints,
  engineOf,
  eventually,
  hookedCasinos,
  type LegacyPartner,
  newLegacyPartner,
  openMarket,
  type Running,
  type Service,
  serviceAt,
  startService,
  transactionId,
} from '../acceptance/harness/index.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { newUser, type User } from './support/cointill.ts';
import { publishedBy } from './support/published.ts';

type Json = Readonly<Record<string, unknown>>;

/** Held to its schema where the installation is one that it can be typed for. */
const elsewhere = new Map([
  ['backup', 'backup.process: of the embedded Postgres alone'],
  ['restore', 'backup.process: of the embedded Postgres alone'],
  ['simulate play', 'operators.process: with the simulated engine alone'],
  ['lost-ends accept', 'lost-ends.engine: beside a log that was put back; it prints what accept-all does'],
]);

const SECRETS_KEY = 'the-first-key-of-the-tests-of-json';

/** The account of the words of BIP 39's first example. */
const ZPUB =
  'zpub6qyTYMBt1YH7hQuWTMhocAR8hnhBJwtT56VjMBJDGT7JpcXc64Qafb3Hy9aXzoTxeqGVP463SnZGT3Yg6MwcbTmGiMYreSm8SrHrXXecQrM';

const open = endpoints();
let database: FreshDatabase;
let running: Running;
let service: Service;
let user: User;
let casino: Casino;
let legacy: LegacyPartner;
let [accepted, held, withheld]: DepositHandle[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  running = await startService({ DATABASE_URL: database.url, SECRETS_KEY, FOUR_EYES: 'true' });
  user = newUser({ COINTILL_URL: running.url, COINTILL_TOKEN: running.operatorToken });
  service = serviceAt(() => running);
  await openMarket(service);
  casino = (await hookedCasinos(service, open)()).casino;
  accepted = await (await casino.deposit()).settle();
  await accepted.accept();
  held = await (await casino.deposit()).settle();
  await held.return();
  await held.kyt('failed', 20);
  withheld = await (await casino.deposit()).settle();
  await withheld.accept();
  await withheld.ofac('hit', 20);
  done(await service.operator('PUT', '/operator/rates/BCH', { usd: '400' }));
  legacy = await newLegacyPartner(service);
}, 180_000);

afterAll(async () => {
  user.gone();
  await running.stop();
  await database.drop();
}, 60_000);

/** The values that it prints: one, or one a line. */
const printed = async (words: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly unknown[]> => {
  const { code, out, err } = await user.piped([...words.split(' '), '--json', '--yes', ...args], '', env);
  expect([words, code, err.includes('cointill:')]).toEqual([words, 0, false]);
  const inLines = commands.find((command) => command.words === words)?.rows;
  return inLines
    ? out
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
    : [JSON.parse(out)];
};

/** What someone in the console may not do alone, and waits for another: the approval of it. */
const approvalAsked = async (name: string): Promise<string> => {
  const { token } = done(
    await service.operator('POST', '/operator/tokens', { role: 'admin', name: `Asks for ${name}` }),
  );
  const ofConsole = { 'Sec-Fetch-Site': 'same-origin', 'X-Cointill-Console': '1', 'X-Cointill-Reason': 'a%20reason' };
  const begun = await service.call('POST', '/console/session', { headers: ofConsole, json: { token } });
  const headers = { ...ofConsole, Cookie: begun.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const json = { role: 'auditor', name };
  return String((await service.call('POST', '/operator/tokens', { headers, json })).body.approval);
};

/** As a watcher leaves it that has begun with a block. */
const watchBtc = async (): Promise<void> => {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(
    `INSERT INTO chain_tips (chain, hash, height, block_time, audited_height) VALUES ('BTC', $1, 860000, now(), 860000)`,
    ['0'.repeat(64)],
  );
  await client.end();
};

/** As an instance of a newer release would: the read models of this one stop before it. */
const appendNewer = async (depositId: string): Promise<string> => {
  const log = await openPostgresEventLog({ databaseUrl: database.url });
  const stream = `deposit-${depositId}`;
  const { length } = await Array.fromAsync(log.read(stream));
  const event = { id: randomUUID(), type: 'KytReviewed', schemaVersion: 99, data: {} };
  await log.append(stream, length - 1, [{ ...event, metadata: { occurredAt: new Date().toISOString() } }]);
  await log.close();
  return event.id;
};

it('every command prints JSON that fits the schema that it publishes', async () => {
  const misfitting: string[] = [];
  const printedBy = new Set<string>();
  const misfits = await publishedBy(user);
  const runWith = async (env: NodeJS.ProcessEnv, words: string, ...args: string[]): Promise<Json> => {
    const values = await printed(words, args, env);
    misfitting.push(...values.flatMap((value) => misfits(words, value)).map((what) => `${words}: ${what}`));
    printedBy.add(words);
    return values[0] as Json;
  };
  const run = (words: string, ...args: string[]): Promise<Json> => runWith({}, words, ...args);
  const [deposit, affiliate, entity] = [String(accepted?.id), String(casino.affiliateId), String(casino.entityId)];
  const ofCasino = ['--entity-id', entity];
  const player = [...ofCasino, '--gambler-ref', 'Ada'];

  await run('login');
  await run('logout');
  await run('completion', 'bash');
  await run('__complete', '--', 'au');
  await run('schema');
  await watchBtc();
  const transaction = await legacy.create();
  const withApproval = await approvalAsked('North');
  for (const words of ['installation', 'instances', 'stats', 'casinos', 'whoami', 'inbox', 'pulse', 'audit-trail list'])
    await run(words);
  for (const words of ['approvals list', 'chains list', 'projections list', 'returns list', 'signals list'])
    await run(words);
  for (const words of ['simulate list', 'messages list', 'rates list', 'currencies list', 'addresses list'])
    await run(words);
  await run('addresses extended-keys');
  await run('search', deposit);
  const rescan = await run('chains rescan', 'BTC', '--from-height', '859000', '--to-height', '859001');
  await run('chains rescans', 'BTC');
  await run('chains cancel-rescan', 'BTC', String(rescan.id));
  await run('approvals show', withApproval);
  await run('approvals approve', withApproval);
  await run('approvals refuse', await approvalAsked('South'));

  const partner = await run('accounts affiliates create', '--name', 'North');
  await run('accounts affiliates change', String(partner.id), '--name', 'South');
  await run('accounts affiliates show', affiliate);
  await run('accounts affiliates list');
  const own = await run('accounts casinos create', '--affiliate-id', affiliate, '--name', 'Aurora', '--fees', '[]');
  await run('accounts casinos change', String(own.id), '--min-usd', '5');
  await run('accounts casinos show', entity);
  await run('accounts casinos list');
  await run('accounts casinos rotate-secret', entity);
  const access = await run('accounts access-tokens issue', affiliate);
  await run('accounts access-tokens list', affiliate);
  await run('accounts access-tokens show', affiliate, String(access.id));
  await run('accounts access-tokens revoke', affiliate, String(access.id));
  const hook = '{"url":"https://casino.example/hooks"}';
  const key = await run('keys create', '--affiliate-id', affiliate, '--name', 'Key', '--webhook', hook);
  await run('keys change', String(key.id), '--name', 'Another');
  await run('keys rotate-secret', String(key.id));
  await run('keys show', String(key.id));
  await run('keys list');
  const token = await run('tokens create', '--role', 'auditor', '--name', 'Auditor');
  await run('tokens show', String(token.id));
  await run('tokens list');
  await run('tokens revoke', String(token.id));

  await run('rates pin', 'DASH', '--usd', '30');
  await run('rates unpin', 'MARS');
  await run('currencies switch', 'BTC', '--enabled', 'true');
  await run('addresses set-available', 'BTC', '--available', 'true');
  await run('addresses add', '--currency', 'ETH', '--addresses', `0x${transactionId().slice(0, 40)}`);
  await run('players set', ...player, '--kyc', 'verified', '--phone', '+14155550123');
  await run('players list', ...ofCasino);
  await run('players reveal', ...player);
  await run('players erase', ...player);
  await run('players kyc-service');
  await run('players set-kyc-service', '--available', 'true');

  await run('lost-ends list');
  await run('lost-ends accept-all', '--reason', 'a log that was put back');

  await run('deposits list');
  for (const words of ['deposits show', 'deposits events', 'deposits check', 'audit stream']) await run(words, deposit);
  const review = await (await casino.deposit()).settle();
  await review.kyt('review', 15);
  await run('deposits review-kyt', String(review.id), '--result', 'passed');
  await run('deposits release-return', String(held?.id));
  await run('settlements list', ...ofCasino);
  await run('settlements release', String(withheld?.id));
  await run('transactions list');
  await run('transactions events', String(transaction));
  await run('transactions erase-email', String(transaction));
  const underpaid = await legacy.create();
  const engine = engineOf(service, underpaid);
  await engine.seen('0.1');
  await engine.confirmed();
  await run('transactions settle', String(underpaid));
  await run('signals send', '--signals', `[{"signal_id":"mine","type":"quote.expired","deposit_id":${deposit}}]`);

  const deliveries = await eventually(
    () => run('deliveries list', '--deposit-id', deposit, '--status', 'delivered'),
    (list) => (list.deliveries as unknown[]).length > 0,
  );
  const [delivery] = deliveries.deliveries as readonly Json[];
  await run('deliveries show', String(delivery?.id));
  await run('deliveries redeliver', String(delivery?.id));
  await run('deliveries replay', ...ofCasino, '--since', '2020-01-01T00:00:00Z', '--dry-run', 'true');
  await run('deliveries stop-replay', ...ofCasino);
  await run('deliveries endpoints');

  await run('projections show', 'deposits');
  await run('projections rebuild', 'deposits', '--check');
  await run('projections differences', 'deposits');
  await run('projections rebuild', 'deposits', '--hold');
  await run('projections switch', 'deposits');
  await run('projections rebuild', 'deposits', '--hold');
  await run('projections cancel', 'deposits');

  const seal = await run('audit seal');
  const number = String(seal.number);
  await run('audit verify', '--deposit', deposit);
  await run('audit seals list');
  await run('audit seals show', number);
  await run('audit seals export', number);
  await run('audit public-key');
  await run('audit prove', deposit, '1');
  await run('audit export', '--format', 'ndjson');
  const { jobs } = await run('audit jobs list');
  await run('audit jobs show', String((jobs as readonly Json[])[0]?.id));
  const direct = { DATABASE_URL: database.url };
  await runWith(direct, 'audit ahead');
  expect(await runWith({ ...direct, SECRETS_KEY }, 'deliveries take-up')).toMatchObject({ taken_up: false });
  await runWith({ ...direct, SECRETS_KEY }, 'deliveries carry-again', '--since', new Date().toISOString());
  await runWith(direct, 'numbers raise');
  expect(await runWith(direct, 'log take-up')).toEqual({ taken_up: false, taken_back: null });
  expect(await runWith(direct, 'log take-up', '--back')).toEqual({ taken_up: false, taken_back: null });

  const newer = await appendNewer(String((await casino.deposit()).id));
  const deposits = () => run('projections show', 'deposits');
  await eventually(deposits, ({ stopped }) => stopped === true);
  await run('projections skip', 'deposits', '--event-id', newer, '--reason', 'of a newer release');

  await run('addresses configure', 'BTC', '--xpub', ZPUB);
  const next = join(user.config, 'next.key');
  await runWith({ ...direct, SECRETS_KEY }, 'secrets rotate', '--new-key-file', next);
  await runWith({ ...direct, SECRETS_KEY_FILE: next }, 'secrets finish');

  expect(misfitting).toEqual([]);
  const left = commands.map(({ words }) => words).filter((words) => !printedBy.has(words) && !elsewhere.has(words));
  expect(left).toEqual([]);
}, 300_000);
