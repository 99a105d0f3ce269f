import { request } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Casino,
  jsonType,
  newCasino,
  type Service,
  transactionId,
  validation,
  verdict,
} from '../harness/index.ts';

type Raw = { readonly status: number; readonly text: string };

export const hostile = (service: Service): void => {
  let casino: Casino;
  beforeAll(async () => {
    casino = await newCasino(service);
  });

  const postText = (path: string, text: string) => casino.call('POST', path, { text, headers: jsonType });
  const clear = (status: number) => status >= 400 && status < 500;
  const alive = async () => expect((await casino.describe()).status).toBe(200);
  const orderText = async (fields: string) => {
    const order = JSON.stringify(casino.order(await casino.player()));
    return `${order.slice(0, -1)},${fields}}`;
  };

  /** Headers as a list may hold a name twice. */
  const raw = (path: string, headers: readonly string[]) =>
    new Promise<Raw>((resolve, reject) => {
      const asked = request(
        `${service.access().url}${path}`,
        { headers: ['Host', 'localhost', ...headers] },
        (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => {
            text += chunk.toString('utf8');
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        },
      );
      asked.on('error', reject);
      asked.end();
    });

  /** What is on the wire, byte by byte; the answer is all that comes until the other side is done. */
  const wire = (bytes: string) =>
    new Promise<string>((resolve) => {
      const { hostname, port } = new URL(service.access().url);
      let said = '';
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on('data', (chunk) => {
        said += chunk.toString('latin1');
      });
      socket.on('error', () => resolve(said));
      socket.on('close', () => resolve(said));
      socket.setTimeout(5_000, () => socket.destroy());
    });

  describe('a body that nobody means', () => {
    it('of 10 MB is refused', async () => {
      const text = JSON.stringify({ entity_id: 1, gambler_ref: 'x'.repeat(10 * 1024 * 1024) });
      const status = await postText('/casino/deposit_address', text).then(
        (answer) => answer.status,
        () => 413, // cut off in the middle: refused all the same
      );
      expect(clear(status)).toBe(true);
      await alive();
    });

    it.each(['[', '{"a":'])('nested a hundred thousand deep is refused: %s', async (opening) => {
      for (const path of ['/casino/deposit_address', '/casino/deposit/1/accept']) {
        expect(clear((await postText(path, opening.repeat(100_000))).status)).toBe(true);
      }
      const closed = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
      expect(clear((await postText('/casino/deposit_address', `{"entity_id":${closed}}`)).status)).toBe(true);
      await alive();
    });

    it.each([
      '"__proto__":{"amount":1}',
      '"constructor":{"prototype":{"amount":1}}',
      '"toString":1',
      '"hasOwnProperty":null',
    ])('names what objects have of their own: %s', async (fields) => {
      const { status } = await postText('/casino/deposit_address', await orderText(fields));
      expect([200, 400]).toContain(status);
      const missing = await postText('/casino/deposit_address', `{${fields}}`);
      expect(missing.status).toBe(400);
      await alive();
    });

    it.each(['NaN', 'Infinity', '-Infinity', '0x10', '1_000', '.5', '01', "'1'"])(
      'has a number that JSON has not: %s',
      async (number) => {
        const answer = await postText('/casino/deposit_address', await orderText(`"amount":${number}`));
        expect(verdict(answer)).toEqual({ status: 400, detail: 'Malformed JSON in request body' });
      },
    );

    it.each(['1e400', '-1e400', '-0', '0e5', '1e-400', '"NaN"', '"Infinity"', '"1e3"', '{}', '[1]', 'true'])(
      'has an amount that is none: %s',
      async (amount) => {
        expect(verdict(await postText('/casino/deposit_address', await orderText(`"amount":${amount}`)))).toEqual(
          validation,
        );
      },
    );

    it.each(['1e308', '1e20'])('has an amount that no coin could be counted in: %s', async (amount) => {
      expect(verdict(await postText('/casino/deposit_address', await orderText(`"amount":${amount}`)))).toEqual(
        validation,
      );
    });

    it.each(['9007199254740993', '1e-300', '0.1000000000000000055511151231257827'])(
      'has an amount that is hard to hold: %s',
      async (amount) => {
        const { status } = await postText('/casino/deposit_address', await orderText(`"amount":${amount}`));
        expect([200, 400]).toContain(status);
      },
    );

    it.each(['1e400', '9007199254740993', '1e30', '-1', '0', '0.1', '2147483648', '9223372036854775808'])(
      'has a casino that is none: %s',
      async (id) => {
        const { status } = await postText('/casino/deposit_address', await orderText(`"entity_id":${id}`));
        expect([400, 404]).toContain(status);
      },
    );

    it.each([
      ['NUL', '\\u0000'],
      ['a lone surrogate', '\\ud800'],
      ['a surrogate the wrong way round', '\\udc00\\ud800'],
    ])('has text that cannot be kept: %s', async (_, text) => {
      const kept: string[] = [];
      const note = (what: string, { status }: { status: number }) => {
        if (!clear(status)) kept.push(`${what}: ${status}`);
      };
      for (const field of ['gambler_ref', 'phone', 'machine_id', 'email', 'currency']) {
        note(field, await postText('/casino/deposit_address', await orderText(`"${field}":"a${text}b"`)));
      }
      const deposit = await (await casino.deposit()).settle();
      for (const fields of [`"return_address":"a${text}b"`, `"return_address":"x","reason":"a${text}b"`]) {
        note(fields, await deposit.return({ text: `{${fields}}`, headers: jsonType }));
      }
      expect(kept).toEqual([]);
      expect(await deposit.read()).toMatchObject({ decision: 'pending' });
    });

    it('is not UTF-8', async () => {
      const bytes = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
      const { status } = await fetch(`${service.access().url}/casino/deposit_address`, {
        method: 'POST',
        headers: { ...jsonType, 'X-API-Key': casino.key },
        body: bytes,
      });
      expect(clear(status)).toBe(true);
    });

    it('of an operator and of the engine is refused as well', async () => {
      for (const path of ['/operator/affiliates', '/engine/signals']) {
        const headers = { ...jsonType, Authorization: `Bearer ${service.access().operatorToken}` };
        for (const text of [
          '{',
          '[',
          'null',
          '"x"',
          '['.repeat(100_000),
          '{"name":"a\\u0000b"}',
          '{"signals":[{"signal_id":"a\\u0000b"}]}',
        ]) {
          const { status } = await service.call('POST', path, { text, headers });
          expect([path, text.slice(0, 40), status < 500]).toEqual([path, text.slice(0, 40), true]);
        }
      }
    });

    it('of a signal holds what cannot be kept: rejected, and no other is spoiled', async () => {
      const deposit = await casino.deposit();
      const seen = { type: 'payment.seen', deposit_id: deposit.id, at: deposit.at(1), amount: '0.002' };
      const results = await service.signals([
        { ...seen, signal_id: `nul-${deposit.id}-\0`, txid: 'a' },
        { ...seen, signal_id: `txid-${deposit.id}`, txid: 'a\0b' },
        { ...seen, signal_id: `lone-${deposit.id}`, txid: 'a', funding_addresses: ['\ud800'] },
        { ...seen, signal_id: `huge-${deposit.id}`, txid: 'a', amount: '9'.repeat(5_000) },
        { ...seen, signal_id: `fine-${deposit.id}`, txid: transactionId() },
      ]);
      expect(results.map(({ outcome }) => outcome)).toEqual([
        'rejected',
        'rejected',
        'rejected',
        'rejected',
        'applied',
      ]);
    });
  });

  describe('a query or a path that nobody means', () => {
    it.each([
      '/casino/deposit/%00',
      '/casino/deposit/%zz',
      '/casino/deposit/..%2f..%2fetc',
      '/%00',
      '/casino//deposits',
    ])('is refused: %s', async (path) => expect(clear((await casino.call('GET', path)).status)).toBe(true));

    it('names a parameter twice, or as a list', async () => {
      const id = casino.entityId;
      for (const query of [
        `?entity_id=${id}&entity_id=${id}`,
        `?entity_id[]=${id}`,
        `?entity_id=${id}&currency=BTC&currency=LTC`,
      ]) {
        const { status } = await casino.list(query);
        expect([query, clear(status)]).toEqual([query, true]);
      }
      for (const query of [
        'limit=1&limit=2',
        'offset=1&offset=2',
        'decision=a&decision=b',
        'limit[]=1',
        '__proto__=1',
        'limit=%00',
      ]) {
        const { status } = await casino.list(`?entity_id=${id}&${query}`);
        expect([query, status < 500]).toEqual([query, true]);
      }
    });

    it('is very long', async () => {
      expect((await casino.list(`?entity_id=${casino.entityId}&decision=${'x'.repeat(10_000)}`)).status).toBeLessThan(
        500,
      );
      expect(clear((await casino.call('GET', `/casino/deposit/${'1'.repeat(5_000)}`)).status)).toBe(true);
    });
  });

  describe('headers that nobody means', () => {
    const path = '/casino/integration/key';

    it('name two keys', async () => {
      const two = await raw(path, ['X-API-Key', casino.key, 'X-API-Key', casino.key]);
      expect([two.status, clear(two.status)]).toEqual([401, true]);
    });

    it('name a key that is none, empty, long or binary', async () => {
      for (const key of ['', ' ', ':', '1:', 'x'.repeat(8_000), `${casino.keyId}:${'\u00ff'.repeat(50)}`]) {
        const { status } = await raw(path, ['X-API-Key', key]);
        expect([key.slice(0, 10), status]).toEqual([key.slice(0, 10), 401]);
      }
    });

    it('name no token', async () => {
      for (const value of ['Bearer', 'Bearer ', 'Basic YTpi', 'bearer x y', `Bearer ${'x'.repeat(8_000)}`]) {
        const { status } = await raw('/operator/affiliates', ['Authorization', value]);
        expect([value.slice(0, 12), status]).toEqual([value.slice(0, 12), 401]);
      }
    });

    it('name a request id that cannot be echoed', async () => {
      const { status } = await raw(path, ['X-API-Key', casino.key, 'X-Request-ID', 'x'.repeat(5_000)]);
      expect(status).toBe(200);
    });

    it('give two lengths, or a length and chunks', async () => {
      const head = 'POST /casino/deposit_address HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      for (const lengths of [
        'Content-Length: 2\r\nContent-Length: 3\r\n',
        'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
      ]) {
        const answer = await wire(`${head}${lengths}\r\n{}`);
        expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
        expect(answer).not.toMatch(/HTTP\/1\.1 [25]\d\d /);
      }
      await alive();
    });

    it('are no HTTP at all', async () => {
      for (const bytes of ['\0\0\0\0\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /\r\nnonsense\r\n\r\n']) {
        expect(await wire(bytes)).not.toMatch(/HTTP\/1\.1 [25]\d\d /);
      }
      await alive();
    });
  });
};
