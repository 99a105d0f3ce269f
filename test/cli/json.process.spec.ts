import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { misfits } from '#door/openapi/testing';
import { commands } from '../../apps/cli/commands.ts';
import {
  type Casino,
  type DepositHandle,
  done,
  endpoints,
  eventually,
  hookedCasinos,
  newLegacyPartner,
  openMarket,
  type Running,
  serviceAt,
  startService,
} from '../acceptance/harness/index.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { newUser, type User } from './support/cointill.ts';

type Json = Readonly<Record<string, unknown>>;

/** What asks for a state of its own, and is held to its schema there or prints none. */
const elsewhere = new Set([
  ...['login', 'logout', 'backup', 'restore', 'secrets rotate', 'secrets finish', 'completion', '__complete', 'schema'],
  ...['audit ahead', 'approvals show', 'approvals approve', 'approvals refuse', 'chains rescan', 'simulate play'],
  ...['projections switch', 'projections cancel', 'projections skip', 'transactions settle'],
  ...['addresses add', 'addresses configure'],
]);

const open = endpoints();
let database: FreshDatabase;
let running: Running;
let user: User;
let casino: Casino;
let [accepted, held, withheld]: DepositHandle[] = [];
let transaction = 0;

beforeAll(async () => {
  database = await freshDatabase();
  running = await startService({ DATABASE_URL: database.url });
  user = newUser({ COINTILL_URL: running.url, COINTILL_TOKEN: running.operatorToken });
  const service = serviceAt(() => running);
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
  transaction = await (await newLegacyPartner(service)).create();
}, 180_000);

afterAll(async () => {
  user.gone();
  await running.stop();
  await database.drop();
}, 60_000);

/** The values that it prints: one, or one a line. */
const printed = async (words: string, args: readonly string[]): Promise<readonly unknown[]> => {
  const { code, out, err } = await user.piped([...words.split(' '), ...args, '--json', '--yes']);
  expect([words, code, err.includes('cointill:')]).toEqual([words, 0, false]);
  const inLines = commands.find((command) => command.words === words)?.rows;
  return inLines
    ? out
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
    : [JSON.parse(out)];
};

/** What `cointill schema` publishes. */
const schemas = async (): Promise<Readonly<Record<string, Json>>> =>
  JSON.parse((await user.piped(['schema'])).out.replaceAll('#/$defs/', '#/components/schemas/'));

it('every command prints JSON that fits the schema that it publishes', async () => {
  const published = await schemas();
  const misfitting: string[] = [];
  const printedBy = new Set<string>();
  const run = async (words: string, ...args: string[]): Promise<Json> => {
    const values = await printed(words, args);
    const schema = published[words] ?? {};
    const wrong = values.flatMap((value) =>
      misfits(schema, value, (schema.$defs ?? {}) as Parameters<typeof misfits>[2]),
    );
    misfitting.push(...wrong.map((what) => `${words}: ${what}`));
    printedBy.add(words);
    return values[0] as Json;
  };
  const [deposit, affiliate, entity] = [String(accepted?.id), String(casino.affiliateId), String(casino.entityId)];
  const ofCasino = ['--entity-id', entity];
  const player = [...ofCasino, '--gambler-ref', 'Ada'];

  for (const words of ['installation', 'instances', 'stats', 'casinos', 'whoami', 'inbox', 'pulse', 'audit-trail list'])
    await run(words);
  for (const words of ['approvals list', 'chains list', 'projections list', 'returns list', 'signals list'])
    await run(words);
  for (const words of ['simulate list', 'messages list', 'rates list', 'currencies list', 'addresses list'])
    await run(words);
  await run('addresses extended-keys');
  await run('search', deposit);

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
  await run('players set', ...player, '--kyc', 'verified', '--phone', '+14155550123');
  await run('players list', ...ofCasino);
  await run('players reveal', ...player);
  await run('players erase', ...player);
  await run('players kyc-service');
  await run('players set-kyc-service', '--available', 'true');

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

  expect(misfitting).toEqual([]);
  const left = commands.map(({ words }) => words).filter((words) => !printedBy.has(words) && !elsewhere.has(words));
  expect(left).toEqual([]);
}, 300_000);
