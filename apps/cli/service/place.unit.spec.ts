import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keepLogin, loginFile, placeToCall } from './place.ts';

const NAMES = ['COINTILL_URL', 'COINTILL_TOKEN', 'COINTILL_PLAIN_HTTP', 'XDG_CONFIG_HOME'] as const;

const before = NAMES.map((name) => [name, process.env[name]] as const);
let folder: string;

const setOnly = (settings: Partial<Record<(typeof NAMES)[number], string>>): void => {
  for (const name of NAMES) delete process.env[name];
  Object.assign(process.env, { XDG_CONFIG_HOME: folder, ...settings });
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'place-'));
});

afterEach(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await rm(folder, { recursive: true });
});

const COINTILL_TOKEN = 'a-token';

describe('the address in COINTILL_URL', () => {
  it.each(['http://pay.example', 'http://10.0.0.7:3000', 'HTTP://pay.example', 'http://127.0.0.1.pay.example'])(
    'gets no token over plain HTTP to another machine, unless that is allowed: %s',
    async (COINTILL_URL) => {
      setOnly({ COINTILL_URL, COINTILL_TOKEN });
      await expect(placeToCall()).rejects.toThrow(/plain HTTP, .* set COINTILL_PLAIN_HTTP=allow/);
      setOnly({ COINTILL_URL, COINTILL_TOKEN, COINTILL_PLAIN_HTTP: 'allow' });
      expect(await placeToCall()).toEqual({ url: COINTILL_URL.toLowerCase(), token: COINTILL_TOKEN });
    },
  );

  it.each(['https://pay.example', 'http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])(
    'is called as it is with TLS, or on this machine: %s',
    async (COINTILL_URL) => {
      setOnly({ COINTILL_URL, COINTILL_TOKEN });
      expect(await placeToCall()).toEqual({ url: COINTILL_URL, token: COINTILL_TOKEN });
    },
  );

  it.each(['pay.example', 'ftp://pay.example', 'https://me:hunter2@pay.example'])(
    'is one: %s',
    async (COINTILL_URL) => {
      setOnly({ COINTILL_URL, COINTILL_TOKEN });
      await expect(placeToCall()).rejects.toThrow(/address/);
    },
  );
});

it.each(['https://pay.example?x=1', 'https://pay.example/?', 'https://pay.example/#top'])(
  'an address has no query and no fragment, which the path would go into: %s',
  async (COINTILL_URL) => {
    setOnly({ COINTILL_URL, COINTILL_TOKEN });
    await expect(placeToCall()).rejects.toThrow(/no query and no fragment in the address/);
  },
);

describe('what lets in, in COINTILL_URL', () => {
  const secretive = ['https://me:hunter2@pay.example', 'ftp://me:hunter2@pay.example', 'me:hunter2@pay.example'];
  const all = [
    ...secretive,
    'https://me:hun/ter2@pay.example',
    'https:\\\\me:hunter2@x',
    'https://pay.example?hunter2',
  ];

  it.each(all)('is shown to nobody by a refusal: %s', async (COINTILL_URL) => {
    const refusalOf = () => placeToCall().then(JSON.stringify, (error: unknown) => String(error));
    setOnly({ COINTILL_URL, COINTILL_TOKEN });
    expect(await refusalOf()).toMatch(/address/);
    expect(await refusalOf()).not.toMatch(/hunter2|hun|ter2/);
    setOnly({});
    await keepLogin({ url: 'https://other.example', token: 'kept' });
    setOnly({ COINTILL_URL });
    expect(await refusalOf()).toMatch(/the login is one of https:\/\/other.example, not of /);
    expect(await refusalOf()).not.toMatch(/hunter2|hun|ter2/);
  });
});

it.each(['hunter2\nX-Other: 1', 'hunter2\r', ' hunter2', 'hunter\u00fc2'])(
  'what no header can carry in COINTILL_TOKEN is refused, and is not shown: %j',
  async (token) => {
    setOnly({ COINTILL_URL: 'https://pay.example', COINTILL_TOKEN: token });
    const refusal = await placeToCall().then(JSON.stringify, (error: unknown) => String(error));
    expect(refusal).toContain('COINTILL_TOKEN is no token');
    expect(refusal).not.toContain('hunter');
  },
);

it.each(['', 'x', 'null', '[]', '{"url":"https://pay.example"}', '{"url":"pay","token":"kept"}'])(
  'a kept login that is none is named, with what writes it anew: %s',
  async (text) => {
    setOnly({});
    await keepLogin({ url: 'https://pay.example', token: 'kept' });
    await writeFile(loginFile(), text);
    await expect(placeToCall()).rejects.toMatchObject({
      code: 2,
      message: `${loginFile()} holds no login: \`cointill login <url>\` writes it anew`,
    });
  },
);

describe('a login that was allowed over plain HTTP', () => {
  it('goes on, also with another token of the environment', async () => {
    setOnly({});
    const kept = { url: 'http://pay.example', token: 'kept' };
    await keepLogin(kept);
    expect(await placeToCall()).toEqual(kept);
    setOnly({ COINTILL_TOKEN });
    expect(await placeToCall()).toEqual({ ...kept, token: COINTILL_TOKEN });
    setOnly({ COINTILL_URL: 'http://pay.example/' });
    expect(await placeToCall()).toEqual(kept);
    setOnly({ COINTILL_URL: 'pay.example' });
    await expect(placeToCall()).rejects.toThrow(/the login is one of http:\/\/pay.example, not of pay.example/);
  });
});
