import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { silentLogger } from '#platform/logging';
import { createMetrics } from '#platform/metrics';
import { createHttpApp, listen } from '../http/index.ts';
import { checkEncrypted } from './index.ts';

@Controller('console')
class Console {
  @Get()
  signIn(@Req() request: FastifyRequest) {
    checkEncrypted(request);
    return {};
  }
}

@Module({ controllers: [Console] })
class ConsoleModule {}

const NAME_IT = 'name the proxy in TRUSTED_PROXIES';
const LET_IT_SAY = 'let the proxy send X-Forwarded-Proto: https';
const refusal = (...missing: readonly string[]) =>
  `The console needs TLS anywhere but on this machine itself. Behind TLS of your own: ${missing.join(', and ')}`;

const FOR = { 'x-forwarded-for': '203.0.113.7' };
const HTTPS = { 'x-forwarded-proto': 'https' };

describe('the console behind TLS of its own', () => {
  let app: NestFastifyApplication;

  afterEach(() => app.close());

  const answered = async (trustedProxies: readonly string[], headers: Readonly<Record<string, string>>) => {
    app = await createHttpApp([ConsoleModule], { logger: silentLogger, metrics: createMetrics(), trustedProxies });
    const url = await listen(app, { host: '127.0.0.1', port: 0 });
    return new Promise((resolve, reject) => {
      const asked = get(`${url}/console`, { headers: { host: 'ops.example', ...headers } }, (answer) => {
        json(answer).then((body) => resolve({ status: answer.statusCode, ...Object(body) }), reject);
      });
      asked.on('error', reject);
    });
  };

  it.each([
    ['nothing is known of a proxy', [], {}, [NAME_IT, LET_IT_SAY]],
    ['a proxy is not named, and says nothing of TLS', [], FOR, [NAME_IT, LET_IT_SAY]],
    ['a proxy is not named', [], { ...FOR, ...HTTPS }, [NAME_IT]],
    ['a proxy that says nothing but TLS is not named', [], HTTPS, [NAME_IT]],
    ['another proxy is named', ['198.51.100.7'], { ...FOR, ...HTTPS }, [NAME_IT]],
    ['a named proxy says nothing of TLS', ['127.0.0.1'], FOR, [LET_IT_SAY]],
    ['a named proxy was called without TLS', ['127.0.0.1'], { ...FOR, 'x-forwarded-proto': 'http' }, [LET_IT_SAY]],
  ])('says what is missing where %s', async (_, trusted, headers, missing) => {
    expect(await answered(trusted, headers)).toEqual({
      status: 403,
      code: 'console_needs_tls',
      detail: refusal(...missing),
    });
  });

  it('lets in where a named proxy says that it was called by TLS', async () => {
    expect(await answered(['127.0.0.1'], { ...FOR, ...HTTPS })).toEqual({ status: 200 });
  });
});
