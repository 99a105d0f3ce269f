import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  newKey,
  openMarket,
  type Running,
  serviceAt,
  setPlayer,
  startService,
} from '../../acceptance/harness/index.ts';
import { describeWhere } from '../../support/jest-left-out.ts';
import { type Call, callsIn } from './calls.ts';
import { schemathesisPackages } from './packages.ts';

const SECONDS = 60;
const CONFIG = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));

/**
 * Left out: what the interface answers otherwise than Schemathesis would have it (404 for a wrong method, unknown names
 * taken and told, refusals that no schema can say), and calls without a credential, which the role matrix has. A fixed
 * seed, so that a red run can be repeated; another one by SCHEMATHESIS_SEED.
 */
const options = [
  ...['--max-time', String(SECONDS), '--seed', process.env.SCHEMATHESIS_SEED ?? '20261122'],
  ...['--checks', 'status_code_conformance,content_type_conformance,response_headers_conformance'],
  ...['--checks', 'response_schema_conformance,use_after_free'],
  ...['--suppress-health-check', 'all', '--continue-on-failure', '--report', 'har'],
];

type Examples = Readonly<Record<string, { readonly value?: { readonly detail?: string; readonly code?: string } }>>;
type Told = {
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { examples?: Examples }>> }>>;
};
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Told>>>> };

const packages = await schemathesisPackages().catch((error: unknown) => ({ missing: String(error).split('\n')[0] }));
const missing = typeof packages === 'string' ? '' : `Schemathesis cannot be had: ${packages.missing}`;

describeWhere(typeof packages === 'string', missing)('the OpenAPI document', () => {
  let running: Running;
  let folder: string;
  let document: Document;
  let said: string;
  let failed: boolean;
  let calls: readonly Call[];

  beforeAll(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
      running = await startService();
      const service = serviceAt(() => running);
      await openMarket(service);
      // The examples of the document name the demonstration, and a player that is known there.
      await setPlayer(service, { entity_id: 1, gambler_ref: 'p-1021', phone: '+15550100', kyc: 'verified' });
      const { key } = await newKey(service, 1);
      document = JSON.parse((await service.call('GET', '/openapi.json')).text);
      const recording = join(folder, 'calls.har');
      const from = `${running.url}/openapi.json`;
      const args = ['--config-file', CONFIG, 'run', from, ...options, '--report-har-path', recording];
      const { PATH, HOME } = process.env;
      const env = { PATH, HOME, PYTHONPATH: String(packages), API_KEY: key, OPERATOR_TOKEN: running.operatorToken };
      ({ said, failed } = await new Promise<{ said: string; failed: boolean }>((resolve) => {
        const all = ['-c', 'from schemathesis.cli import schemathesis; schemathesis()', ...args];
        execFile('python3', all, { cwd: folder, env, maxBuffer: 64_000_000 }, (error, stdout, stderr) =>
          resolve({ said: stdout + stderr, failed: error !== null }),
        );
      }));
      calls = await callsIn(recording);
    },
    (SECONDS + 240) * 1000,
  );

  afterAll(async () => {
    await running?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('says of every answer what it is', () => {
    expect(failed ? said : 'nothing found').toBe('nothing found');
  });

  it('names every failure that comes, and none is a fault of the service', () => {
    const named = new Set(
      Object.values(document.paths)
        .flatMap((item) => Object.values(item).flatMap(({ responses = {} }) => Object.values(responses)))
        .flatMap(({ content }) => Object.values(content?.['application/json']?.examples ?? {}))
        .map(({ value }) => value?.code ?? value?.detail),
    );
    named.delete('Internal server error');
    const failures = calls.filter(({ status }) => status >= 500);
    const unnamed = failures.filter(({ text }) => {
      const { code, detail } = JSON.parse(text);
      return !named.has(code ?? detail);
    });
    expect(unnamed).toEqual([]);
  });

  it('was tried at least with the example of every body', () => {
    const tried = (method: string, path: string) => {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`);
      return calls.some((call) => call.method.toLowerCase() === method && pattern.test(call.path));
    };
    const untried = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method, { requestBody }]) => requestBody && !tried(method, path))
        .map(([method]) => `${method} ${path}`),
    );
    expect(untried).toEqual([]);
  });
});
