import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Casino,
  newCasino,
  openMarket,
  type Running,
  type Service,
  serviceAt,
  startService,
} from '../acceptance/harness/index.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const node = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const run = promisify(execFile)(process.execPath, [...args], { cwd: folder, env: { ...process.env, ...env } });
  const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${args[0]}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
};

let running: Running;
let service: Service;
let casino: Casino;
let folder: string;

beforeAll(async () => {
  running = await startService();
  service = serviceAt(() => running);
  await openMarket(service);
  casino = await newCasino(service);
  // Below the checkout, where a client finds the types of Node.
  await mkdir(fileOf('.cache'), { recursive: true });
  folder = await mkdtemp(fileOf('.cache/clients-'));
  await writeFile(join(folder, 'openapi.json'), (await service.call('GET', '/openapi.json')).text);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
}, 180_000);

afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** As a partner would, strictly; then it is run against the service. */
const compiledAndRun = async (program: string): Promise<unknown> => {
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--types', 'node'];
  const modern = ['--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom', '--outDir', `${program}.out`];
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ files: [`${program}.ts`] }));
  await node([fileOf('node_modules/typescript/bin/tsc'), ...strict, ...modern, '--ignoreConfig', `${program}.ts`]);
  const { gambler_ref, phone } = await casino.player();
  const settings = {
    URL: running.url,
    KEY: casino.key,
    ENTITY: String(casino.entityId),
    REF: gambler_ref,
    PHONE: phone,
  };
  return JSON.parse(await node([join(`${program}.out`, `${program}.js`)], settings));
};

const ORDER = `{
  entity_id: Number(process.env['ENTITY']),
  currency: 'BTC',
  gambler_ref: process.env['REF'] ?? '',
  phone: process.env['PHONE'] ?? '',
  amount: 100,
}`;

const made = { status: 'ok', deposit_id: expect.any(Number), address: expect.any(String), charges: [] };

describe('a client that is generated from the document, compiles and makes a deposit', () => {
  it('by openapi-typescript', async () => {
    await node([fileOf('node_modules/openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.ts']);
    await writeFile(
      join(folder, 'typed.ts'),
      `import type { paths } from './schema.js';
      type Create = paths['/casino/deposit_address']['post'];
      type Answer = Create['responses'][200]['content']['application/json'];
      const order: Create['requestBody']['content']['application/json'] = ${ORDER};
      const response = await fetch(process.env['URL'] + '/casino/deposit_address', {
        method: 'POST',
        headers: { 'X-API-Key': process.env['KEY'] ?? '', 'Content-Type': 'application/json' },
        body: JSON.stringify(order),
      });
      const answer = (await response.json()) as Answer;
      if (answer.status !== 'ok') throw new Error(answer.message);
      const { status, deposit_id, address, charges } = answer;
      console.log(JSON.stringify({ status, deposit_id: deposit_id + 0, address: address.trim(), charges }));`,
    );
    expect(await compiledAndRun('typed')).toEqual(made);
  }, 120_000);

  it('by @hey-api/openapi-ts', async () => {
    await node([fileOf('node_modules/@hey-api/openapi-ts/bin/run.js'), '-i', 'openapi.json', '-o', 'client']);
    await writeFile(
      join(folder, 'called.ts'),
      `import { client } from './client/client.gen.js';
      import { createDeposit, readDeposit } from './client/sdk.gen.js';
      client.setConfig({ baseUrl: process.env['URL'] ?? '', auth: () => process.env['KEY'] ?? '' });
      const { data, error } = await createDeposit({ body: ${ORDER} });
      if (!data || data.status !== 'ok') throw new Error(JSON.stringify(error ?? data));
      const { data: deposit } = await readDeposit({ path: { id: data.deposit_id } });
      if (deposit?.wallet !== data.address) throw new Error('another deposit');
      const { status, deposit_id, address, charges } = data;
      console.log(JSON.stringify({ status, deposit_id, address, charges }));`,
    );
    expect(await compiledAndRun('called')).toEqual(made);
  }, 120_000);
});

type Pair = { readonly key: string; readonly value: string };
type Request = {
  readonly method: string;
  readonly url: { readonly raw: string; readonly variable: readonly Pair[] };
  readonly auth: { readonly type: string; readonly apikey?: readonly Pair[] };
  readonly header?: readonly Pair[];
  readonly body?: { readonly raw: string };
};
type Collection = {
  readonly info: { readonly schema: string };
  readonly variable: readonly Pair[];
  readonly item: readonly { readonly name: string; readonly item: readonly { name: string; request: Request }[] }[];
};

describe('the collection for Postman and Bruno', () => {
  let collection: Collection;
  const requests = () => collection.item.flatMap(({ item }) => item.map(({ request }) => request));
  const filled = (text: string) => text.replace('{{url}}', running.url).replace('{{api_key}}', casino.key);

  beforeAll(async () => {
    collection = JSON.parse((await service.call('GET', '/postman.json')).text);
  });

  it('has a request for each operation of the document', async () => {
    const { paths } = JSON.parse((await service.call('GET', '/openapi.json')).text) as {
      paths: Record<string, object>;
    };
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} {{url}}${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(
      requests()
        .map(({ method, url }) => `${method} ${url.raw}`)
        .toSorted(),
    ).toEqual(operations.toSorted());
    expect(collection.info.schema).toMatch(/v2\.1\.0/);
    expect(collection.variable.map(({ key }) => key)).toEqual(['url', 'api_key', 'operator_token']);
  });

  it('makes a deposit once the key is filled in', async () => {
    const request = requests().find(({ url }) => url.raw === '{{url}}/casino/deposit_address');
    if (!request) throw new Error('nothing makes a deposit');
    const credential = Object.fromEntries((request.auth.apikey ?? []).map(({ key, value }) => [key, value]));
    const order = { ...JSON.parse(request.body?.raw ?? ''), ...(await casino.player()), entity_id: casino.entityId };
    const answer = await fetch(filled(request.url.raw), {
      method: request.method,
      headers: {
        ...Object.fromEntries((request.header ?? []).map(({ key, value }) => [key, value])),
        [credential.key ?? '']: filled(credential.value ?? ''),
      },
      body: JSON.stringify(order),
    });
    expect([answer.status, answer.headers.get('x-ignored-fields'), await answer.json()]).toMatchObject([
      200,
      null,
      { status: 'ok' },
    ]);
  });
});
