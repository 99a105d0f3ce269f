import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstKey } from '../../apps/all/testing/run-app.ts';
import { commands } from '../../apps/cli/commands.ts';
import { describeWhere } from '../support/jest-left-out.ts';
import { keptOperations } from './operations/kept-operations.ts';
import { hasTerminals, newUser, type User } from './support/cointill.ts';
import { publishedBy } from './support/published.ts';
import { serviceForFile, TOKEN } from './support/service.ts';

const service = serviceForFile();

type Json = Readonly<Record<string, unknown>>;

let user: User;
beforeAll(async () => {
  user = newUser();
  expect((await user.piped(['login', service.url], TOKEN)).code).toBe(0);
}, 60_000);
afterAll(() => user.gone());

const answered = async (...args: string[]): Promise<Json> => {
  const { code, out, err } = await user.piped([...args, '--json']);
  expect([args, code, err]).toEqual([args, 0, '']);
  return JSON.parse(out) as Json;
};

const kept = (): string => readFileSync(new URL('../../apps/cli/operators/operations.json', import.meta.url), 'utf8');

describe('what operators and engines can call', () => {
  it('is what the service tells in its OpenAPI document (else: npm run operations)', async () => {
    expect(kept()).toBe(keptOperations(await (await fetch(`${service.url}/openapi.json`)).text()));
  });

  it('has a command, every one of it', () => {
    const operations = Object.keys((JSON.parse(kept()) as { operations: Json }).operations);
    const called = new Set(commands.flatMap((command) => command.operations ?? []));
    expect(operations.filter((id) => !called.has(id))).toEqual([]);
    expect([...called].filter((id) => !operations.includes(id))).toEqual([]);
  });

  it('has each of its words once', () => {
    const words = commands.map((command) => command.words);
    expect(words.filter((each, nth) => words.indexOf(each) !== nth)).toEqual([]);
  });
});

const fits = async (words: string, answer: unknown): Promise<string[]> => (await publishedBy(user))(words, answer);

describe('every list', () => {
  const lists = commands.filter(({ words, isDefault }) => isDefault && !/settlements|access-tokens/.test(words));

  it.each(lists.map(({ words }) => words))(
    'cointill %s, as a table and as JSON that fits its schema',
    async (words) => {
      const short = words.replace(/ list$/, '').split(' ');
      expect(await fits(words, await answered(...short))).toEqual([]);
      expect(await user.piped(short)).toMatchObject({ code: 0 });
    },
  );
});

const VERIFIED = ['--kyc', 'verified', '--phone', '+15550100'];

type Events = { readonly events: readonly { readonly data: { readonly payment?: { readonly txid: string } } }[] };

describe('an operator', () => {
  it('makes an affiliate, a casino and a key, whose secret is shown with a word of warning', async () => {
    const affiliate = await answered('accounts', 'affiliates', 'create', '--name', 'North', '--currencies', 'BTC,LTC');
    expect(affiliate).toMatchObject({ name: 'North', currencies: ['BTC', 'LTC'] });
    const casino = ['accounts', 'casinos', 'create', '--affiliate-id', String(affiliate.id), '--name', 'Aurora'];
    const made = await answered(...casino, '--min-usd', '5', '--no-conf-allowed', 'true', '--fees', '[]');
    expect(made).toMatchObject({ min_usd: 5, no_conf_allowed: true, fees: [] });
    expect(await answered('accounts', 'casinos', 'change', String(made.id), '--min-usd', 'null')).toMatchObject({
      min_usd: null,
    });
    const key = await user.piped(['keys', 'create', '--affiliate-id', String(affiliate.id), '--name', 'Production']);
    expect(key.out).toMatch(/^key +\d+:\S+$/m);
    expect(key.err).toContain('shown this once');
    expect(await fits('keys list', await answered('keys', '--affiliate-id', String(affiliate.id)))).toEqual([]);
  });

  it('sends a body from a file, or from stdin', async () => {
    const file = join(user.config, 'body.json');
    writeFileSync(file, JSON.stringify({ role: 'auditor', name: 'From a file' }));
    expect(await answered('tokens', 'create', '--body', file)).toMatchObject({ name: 'From a file', role: 'auditor' });
    const body = JSON.stringify({ role: 'auditor', name: 'From stdin' });
    expect((await user.piped(['tokens', 'create', '--body', '-'], body)).out).toContain('From stdin');
  });

  it('reads every page as one', async () => {
    for (const name of ['one', 'two', 'three']) await answered('tokens', 'create', '--role', 'auditor', '--name', name);
    const { tokens, next_cursor } = await answered('tokens', '--limit', '1', '--all');
    expect([(tokens as unknown[]).length > 2, next_cursor]).toEqual([true, null]);
    expect((await user.piped(['tokens', '--limit', '1'])).err).toContain('more: --cursor');
  });

  it('finds by words that are typed as they are', async () => {
    const { found } = await answered('search', '1');
    expect(found).toContainEqual({ kind: 'casino', id: '1', by: 'id', href: expect.any(String) });
    expect(await answered('search', 'nothing', 'of', 'this')).toEqual({ found: [] });
    expect(await user.piped(['search'])).toMatchObject({ code: 2, err: expect.stringContaining("argument 'words'") });
  });

  it('finds what the simulated engine paid by its transaction, as it finds what a real one told of', async () => {
    const player = { entity_id: 1, gambler_ref: 'alice', phone: '+15550100' };
    await answered('players', 'set', ...['--entity-id', '1', '--gambler-ref', player.gambler_ref], ...VERIFIED);
    const quoted = await fetch(`${service.url}/casino/deposit_address`, {
      method: 'POST',
      headers: { 'x-api-key': await firstKey(service.dataDir), 'content-type': 'application/json' },
      body: JSON.stringify({ ...player, currency: 'BTC', amount: 100 }),
    });
    const id = String(((await quoted.json()) as Json).deposit_id);
    const played = await answered('simulate', 'play', '--deposit-id', id, '--scenario', 'paid');
    expect(await fits('simulate play', played)).toEqual([]);
    let txid: string | undefined;
    while (txid === undefined) {
      const { events } = (await answered('deposits', 'events', id)) as Events;
      txid = events.map(({ data }) => data.payment?.txid).find(Boolean);
    }
    // Kept with the end of its step, right behind the event.
    let found: unknown;
    do ({ found } = await answered('search', txid));
    while (JSON.stringify(found) === '[]');
    expect(found).toEqual([{ kind: 'deposit', id, by: 'txid', href: `/operator/deposits/${id}` }]);
  }, 60_000);

  it.each([
    ['refused: 3', ['deposits', 'events', '9999999'], 3, /Deposit not found \(404/],
    ['what has no number: 2', ['keys', 'create', '--affiliate-id', 'north'], 2, /is a number/],
    ['what is wrong with which field: 3', ['tokens', 'create', '--role', 'king'], 3, /role: \S.*\(400\)/],
    ['what has to be said: 2', ['settlements'], 2, /--entity-id is needed/],
    ['what a body needs: 2', ['keys', 'create'], 2, /^cointill: --affiliate-id is needed: \S/],
    ['no JSON: 2', ['accounts', 'casinos', 'create', '--fees', '{'], 2, /is given as JSON/],
  ])('is told %s', async (_, args, code, said) => {
    const ended = await user.piped(args);
    expect([ended.code, ended.out]).toEqual([code, '']);
    expect(ended.err).toMatch(said);
  });

  it('without a login is told what to do: 2', async () => {
    const stranger = newUser();
    expect(await stranger.piped(['rates'])).toMatchObject({ code: 2, err: expect.stringContaining('cointill login') });
    expect(await stranger.piped(['rates'], '', { COINTILL_URL: service.url, COINTILL_TOKEN: TOKEN })).toMatchObject({
      code: 0,
    });
    expect(await stranger.piped(['rates'], '', { COINTILL_URL: service.url, COINTILL_TOKEN: 'x' })).toMatchObject({
      code: 3,
    });
    stranger.gone();
  });
});

describe('what cannot be taken back', () => {
  const spare = async (name: string): Promise<string> =>
    String((await answered('tokens', 'create', '--role', 'auditor', '--name', name)).id);

  it('needs --yes where nobody can be asked', async () => {
    const id = await spare('piped');
    expect(await user.piped(['tokens', 'revoke', id])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    });
    expect(await answered('tokens', 'show', id)).toMatchObject({ status: 'active' });
    expect(await answered('tokens', 'revoke', id, '--yes')).toMatchObject({ status: 'revoked' });
  });

  it('is the settling of an older transaction, too', async () => {
    expect(await user.piped(['transactions', 'settle', '7'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('cointill transactions settle 7 cannot be taken back: say --yes'),
    });
    expect(await user.piped(['transactions', 'settle', '7', '--yes'])).toMatchObject({ code: 3 });
  });

  describeWhere(hasTerminals, 'needs script of util-linux')('on a terminal', () => {
    it.each([
      ['no', 2, 'active'],
      ['revoke', 0, 'revoked'],
    ])('"%s" ends with %i and leaves the token %s', async (word, code, status) => {
      const id = await spare(word);
      const running = user.onTerminal(['tokens', 'revoke', id]);
      await running.saying('Type "revoke"');
      running.child.stdin.write(`${word}\r`);
      expect(await running.ended).toMatchObject({ code });
      expect(await answered('tokens', 'show', id)).toMatchObject({ status });
    });

    it('shows heads in bold, unless NO_COLOR says not to', async () => {
      const bold = await user.onTerminal(['tokens']).ended;
      expect(bold.out).toContain('\u001b[1mID');
      const plain = await user.onTerminal(['tokens'], { NO_COLOR: '1' }).ended;
      expect(plain.out).not.toContain('\u001b[');
    });
  });
});
