import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { runCli } from './run.ts';

let said: string[] = [];
let folder = '';
const before = { ...process.env };

beforeEach(() => {
  said = [];
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  const hear = (text: unknown, done?: unknown): boolean => {
    said.push(String(text));
    if (typeof done === 'function') done();
    return true;
  };
  jest.spyOn(process.stdout, 'write').mockImplementation(hear as typeof process.stdout.write);
  jest.spyOn(process.stderr, 'write').mockImplementation(hear as typeof process.stderr.write);
});

afterEach(() => {
  jest.restoreAllMocks();
  process.env = { ...before };
  rmSync(folder, { recursive: true });
});

const told = async (listener: RequestListener, ...words: string[]) => {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.COINTILL_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.COINTILL_TOKEN = 'any';
  try {
    return { code: await runCli(words), text: said.join('') };
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

const answering =
  (body: unknown): RequestListener =>
  (_, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

const hostile = 'a\u009b31m\u202egnp.exe\u2066\u200f\u061c\u007f';

describe('what a service answers', () => {
  it.each([[[]], [['--json']]])('moves no cursor and turns no line around, %j', async (json) => {
    const rows = [{ id: 1, name: hostile, [`field ${hostile}`]: 1 }];
    const { code, text } = await told(
      answering({ affiliates: rows, next_cursor: null }),
      'accounts',
      'affiliates',
      ...json,
    );
    expect([code, /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text)]).toEqual([0, false]);
    if (json.length > 0) expect(JSON.parse(text)).toMatchObject({ affiliates: rows });
  });

  it('ends where no answer is as long', async () => {
    const endless: RequestListener = (_, response) => {
      response.setHeader('content-type', 'application/json');
      const more = () => void (response.destroyed || response.write('['.repeat(1_000_000), () => setImmediate(more)));
      more();
    };
    const { code, text } = await told(endless, 'accounts', 'affiliates');
    expect([code, text]).toEqual([4, expect.stringMatching(/more than \d+ bytes/)]);
  }, 30_000);

  it.each(['accounts affiliates list --all', 'audit stream 7'])(
    'ends where a cursor comes again: %s',
    async (words) => {
      const page = { affiliates: [], events: [], next_cursor: 'again' };
      const ended = told(answering(page), ...words.split(' '));
      const { code, text } = await Promise.race([
        ended,
        new Promise<never>((_, reject) => setTimeout(() => reject(new Error('it never ends')), 5_000).unref()),
      ]);
      expect([code, text]).toEqual([4, expect.stringMatching(/the same cursor/)]);
    },
  );
});

const page: RequestListener = (_, response) =>
  void response.setHeader('content-type', 'text/html; charset=utf-8').end('<html>Sign in</html>');
const empty: RequestListener = (_, response) => void response.writeHead(204).end();
const pageOfARefusal: RequestListener = (_, response) =>
  void response.writeHead(403, { 'content-type': 'text/html' }).end('<html>Forbidden</html>');

describe('what is no Cointill', () => {
  it.each([
    'accounts affiliates',
    'inbox --json',
    'deposits --all --json',
    'transactions erase-email 7 --yes',
    'audit stream 7',
    'audit prove 1 1',
    'audit public-key',
    'audit verify',
    'audit export',
    'audit seals export 1',
  ])('is told from one by the page that it answers: %s', async (words) => {
    const { code, text } = await told(page, ...words.split(' '));
    expect([code, text]).toEqual([
      4,
      expect.stringMatching(/^cointill: http:\S+ answers as no Cointill does: .*COINTILL_URL.*$/m),
    ]);
    expect(text).not.toContain('<html>');
  });

  it.each([
    ['nothing where something is asked for', empty, 'inbox'],
    ['null', answering(null), 'inbox'],
    ['a number', answering(5), 'deposits --json'],
    ['an object of something else', answering({ ok: true, id: 7 }), 'deposits --json'],
    ['something where nothing is asked for', answering({}), 'transactions erase-email 7 --yes'],
  ])('is told from one that answers %s', async (_, listener, words) => {
    const { code, text } = await told(listener, ...words.split(' '));
    expect([code, text]).toEqual([4, expect.stringContaining('answers as no Cointill does')]);
  });

  it('is not refused for an answer of nothing where nothing is asked for', async () => {
    const { code, text } = await told(empty, 'transactions', 'erase-email', '7', '--yes');
    expect([code, text]).toEqual([0, expect.stringContaining('done')]);
  });
});

describe('an answer in lines', () => {
  it.each([
    ['is told', 200],
    ['says why it is none', 500],
  ])('that breaks off while it %s ends with 4, in a line', async (_, status) => {
    const cut: RequestListener = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/x-ndjson' });
      response.write('{}\n', () => setTimeout(() => response.destroy(), 50));
    };
    const { code, text } = await told(cut, 'audit', 'seals', 'export', '1');
    expect([code, text]).toEqual([4, expect.stringMatching(/cointill: http:\S+ broke its answer off: .*\n$/)]);
    expect(text).not.toMatch(/\n +at /);
  });
});

describe('a login', () => {
  beforeEach(() => {
    process.env.XDG_CONFIG_HOME = folder;
  });

  it.each([
    ['a page', page],
    ['the page of a refusal', pageOfARefusal],
    ['JSON of something else', answering({ ok: true })],
    ['nothing', empty],
  ])('keeps no token for what answers with %s', async (_, listener) => {
    const { code, text } = await told(listener, 'login');
    expect([code, text]).toEqual([4, expect.stringContaining('answers as no Cointill does')]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps the one of an engine, which may not see what is asked', async () => {
    const refusal: RequestListener = (request, response) => {
      response.statusCode = 403;
      answering({ detail: 'Insufficient permissions for this endpoint', code: 'insufficient_permissions' })(
        request,
        response,
      );
    };
    expect((await told(refusal, 'login')).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['cointill']);
  });
});

describe('a proof', () => {
  const step = { side: 'right', hash: 'ff' };
  it.each([
    ['is no JSON', '{'],
    ['is nothing', 'null'],
    ['has no events', '{"format":"cointill proof 1"}'],
    ['has events that are none', '{"format":"cointill proof 1","events":[null],"path":[],"seal":{}}'],
    ['has no seal', JSON.stringify({ format: 'cointill proof 1', events: [{ metadata: {} }], path: [step] })],
    ['has a path that is none', '{"format":"cointill proof 1","events":[{"metadata":{}}],"path":[7],"seal":{}}'],
  ])('that %s is wrong usage', async (_, content) => {
    const [proof, key] = [join(folder, 'proof.json'), join(folder, 'key.pem')];
    writeFileSync(proof, content);
    writeFileSync(key, 'no key');
    expect([await runCli(['audit', 'verify', '--proof', proof, '--key', key]), said.join('')]).toEqual([
      2,
      expect.stringMatching(/proof\.json (is no JSON|is no proof)/),
    ]);
  });

  it('and a key that are not there are wrong usage', async () => {
    const proof = join(folder, 'proof.json');
    expect(await runCli(['audit', 'verify', '--proof', proof, '--key', join(folder, 'key.pem')])).toBe(2);
  });
});

/** As a proxy sends on what a service that died had sent. */
const ended =
  (text: string): RequestListener =>
  (_, response) =>
    void response.setHeader('content-type', 'application/x-ndjson').end(text);

describe('a file that the service did not send to its end', () => {
  const decision = '{"deposit_id":1,"decision":"accepted"}\n';
  const seal = '{"number":1,"streams":2}\n';
  const head = '{"stream":"deposit-1","revision":1,"hash":"9f"}\n';

  it.each([
    ['audit export', '', 4],
    ['audit export', decision, 4],
    ['audit export', `${decision}{"deposit_id":`, 4],
    ['audit export', `${decision}{"end":{"lines":2}}\n`, 4],
    ['audit export', `${decision}{"end":{"lines":1}}\n`, 0],
    ['audit seals export 1', '', 4],
    ['audit seals export 1', `${seal}${head}`, 4],
    ['audit seals export 1', `${seal}${head}{"stream":"deposit-2","revi`, 4],
    ['audit seals export 1', `${seal}${head}${head}`, 0],
  ])('%s of %j ends with what is said of it', async (words, text, code) => {
    const { code: was, text: said } = await told(ended(text), ...words.split(' '));
    expect([was, /broke its answer off/.test(said)]).toEqual([code, code === 4]);
    expect(said).not.toContain('"end"');
  });
});
