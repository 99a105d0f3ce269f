import { createServer } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { servedPerFile } from '../../../test/support/served-per-file.ts';
import { rpcClient } from './client.ts';
import { lacksMethod, NodeRefused, NodeUnreachable } from './errors.ts';

type Asked = { readonly id: number; readonly method: string };

let code = 0;
let endless = false;
let instead: object | undefined;
let status = 500;
/** What it answers by what it was asked. */
let answers: ((asked: Asked | readonly Asked[]) => unknown) | undefined;
/** How many questions it was asked at once, 0 of one that is no list. */
let lists: readonly number[] = [];
const server = createServer((request, response) => {
  if (endless) {
    request.resume();
    const more = () => void (response.destroyed || response.write(`[${'0,'.repeat(50_000)}`, () => setImmediate(more)));
    return more();
  }
  void request.toArray().then((chunks) => {
    const asked: Asked | readonly Asked[] = JSON.parse(chunks.join(''));
    lists = [...lists, 'map' in asked ? asked.length : 0];
    const answer = { jsonrpc: '2.0', id: 0, result: null, error: { code, message: 'Loading block index…' } };
    response.statusCode = status;
    response.end(JSON.stringify(answers?.(asked) ?? instead ?? answer));
  });
});
const url = servedPerFile(server);
afterEach(() => {
  [instead, answers, lists] = [undefined, undefined, []];
});

const node = () => new URL(url()).host;
const ask = (limits: object = {}) => rpcClient({ url: url(), ...limits }).call('getblockhash', 7);

it('takes a refusal for an answer', async () => {
  code = -8;
  await expect(ask()).rejects.toThrow(NodeRefused);
});

it('takes a node that only begins for one that does not answer: it has not said that a block is not there', async () => {
  code = -28;
  await expect(ask()).rejects.toThrow(NodeUnreachable);
});

it.each([
  [{ message: 'API rate limit exceeded' }],
  [{ error: 'Too many requests' }],
  [{ id: 0 }],
  [[{ id: 0, message: 'no' }]],
])('takes what no node answers for no answer: %j', async (body) => {
  instead = body;
  await expect(ask()).rejects.toThrow(NodeUnreachable);
  await expect(rpcClient({ url: url() }).batch([['getblockhash', 7]])).rejects.toThrow(NodeUnreachable);
});

const three = () => rpcClient({ url: url() }).batch([['first'], ['second'], ['third']]);
const told = (id: unknown, result: unknown = 'told') => ({ jsonrpc: '2.0', id, result });
const refused = (id: unknown, message: string) => ({ jsonrpc: '2.0', id, error: { code: -32_600, message } });

it('takes of several questions in one each answer for the one that it bears the number of', async () => {
  instead = [told(2, 'c'), refused(0, 'not this'), told(1, null)];
  expect(await three()).toEqual([undefined, null, 'c']);
});

it.each([
  ['lacks some', [told(0), told(2)], '2 of 3 questions'],
  ['lacks all', [], '0 of 3 questions'],
  ['has one twice', [told(0), told(1), told(1), told(2)], 'one question twice'],
  ['has one twice, in place of another', [told(0), told(1), told(1)], 'one question twice'],
  ['has what nobody asked for', [told(0), told(1), told(7)], '2 of 3 questions'],
  ['numbers them in its own way', [told('0'), told('1'), told('2')], '0 of 3 questions'],
  ['refuses nobody knows what', [told(0), told(1), refused(null, 'too many requests')], 'too many requests'],
  ['refuses all in one', [refused(null, 'batch too large')], 'batch too large'],
  ['refuses the first for all', [refused(0, 'batch too large')], '1 of 3 questions'],
  ['is one alone', told(0), 'several questions at once'],
  ['is one alone that refuses', refused(null, 'no batches here'), 'no batches here'],
  ['is one alone that begins', { ...refused(null, 'Loading'), error: { code: -28, message: 'Loading' } }, 'begins'],
])('takes an answer to several questions that %s for none', async (_, body, said) => {
  instead = body;
  await expect(three()).rejects.toMatchObject({ name: 'NodeUnreachable', message: expect.stringContaining(said) });
});

describe('a node that takes fewer questions at once than it is asked', () => {
  const names = Array.from({ length: 120 }, (_, nth) => `${nth}`);
  const calls = names.map((name) => [name] as const);
  const TOO_MANY = 'batch limit exceeded';
  const toldName = ({ id, method }: Asked) => told(id, method);

  /** As Erigon does: in the words of its older releases all in one, in those of its newer in a list, for the first. */
  const ways: Readonly<Record<string, (id: number) => unknown>> = {
    older: () => refused(null, TOO_MANY),
    newer: (id) => [refused(id, TOO_MANY)],
    short: (id) => [told(id, 'one')],
  };

  const takes = (most: number, way: keyof typeof ways) => {
    answers = (asked) => {
      if (!('map' in asked)) return toldName(asked);
      return asked.length > most ? ways[way]?.(asked[0]?.id ?? 0) : asked.map(toldName);
    };
  };

  it.each(['older', 'newer', 'short'])('is asked in parts, and remembered: %s', async (way) => {
    takes(10, way);
    const client = rpcClient({ url: url() });
    expect(await client.batch(calls)).toEqual(names);
    const first = lists;
    expect(first.filter((length) => length > 10)).toEqual([50, 25, 13]);
    expect(await client.batch(calls)).toEqual(names);
    expect(Math.max(...lists.slice(first.length))).toBe(7);
  });

  it('is asked each for itself where it takes no list', async () => {
    takes(0, 'older');
    const client = rpcClient({ url: url() });
    expect(await client.batch(calls.slice(0, 3))).toEqual(['0', '1', '2']);
    expect(lists).toEqual([3, 2, 1, 0, 0, 0]);
    expect(await client.batch(calls.slice(0, 2))).toEqual(['0', '1']);
    expect(lists.slice(6)).toEqual([0, 0]);
  });

  it('is asked for as many as ever a while later', async () => {
    takes(10, 'newer');
    const client = rpcClient({ url: url() });
    await client.batch(calls);
    [lists, answers] = [[], (asked) => ('map' in asked ? asked.map(toldName) : toldName(asked))];
    const later = performance.now() + 601_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
    await client.batch(calls);
    clock.mockRestore();
    expect(lists).toEqual([50, 50, 20]);
  });

  it.each(['older', 'newer'])('is left alone where it answers nothing at all: %s', async (way) => {
    answers = (asked) => ('map' in asked ? ways[way]?.(0) : refused(null, TOO_MANY));
    await expect(rpcClient({ url: url() }).batch(calls)).rejects.toThrow(NodeUnreachable);
    expect(lists).toEqual([50, 25, 13, 7, 4, 2, 1, 0]);
  });

  it('is asked once where it says that it is asked too much, or begins', async () => {
    for (const busy of [-28, -32_005]) {
      answers = () => ({ ...refused(null, 'later'), error: { code: busy, message: 'later' } });
      await expect(rpcClient({ url: url() }).batch(calls)).rejects.toThrow(NodeUnreachable);
    }
    expect(lists).toEqual([50, 50]);
  });
});

it('takes a refusal of what could not be read for no answer to what was asked', async () => {
  instead = refused(null, 'too many requests');
  await expect(ask()).rejects.toThrow(NodeUnreachable);
});

it.each([429, 502, 503, 504])('takes an answer with %i for none of the node, whatever it says', async (odd) => {
  [code, status] = [-8, odd];
  await expect(ask()).rejects.toThrow(NodeUnreachable);
  status = 500;
});

it.each([
  ['with a NUL in it', 'no \u0000 way', 'no \\x00 way (-1)'],
  ['that turn a line around', 'no \u202e way', 'no \\u202e way (-1)'],
  ['that are half a letter', 'no \ud83d', 'no \ufffd (-1)'],
  ['that are none', { no: 'way' }, '{"no":"way"} (-1)'],
  ['that are not there', undefined, 'nothing (-1)'],
])('takes words of a node %s as a person can read them and a database keep them', async (_, message, told) => {
  instead = { id: 0, result: null, error: { code: -1, message } };
  await expect(ask()).rejects.toMatchObject({ name: 'NodeRefused', message: `getblockhash: ${told}` });
});

it('takes no more words of a node than a person reads', async () => {
  const long = '\u0001'.repeat(1_000_000);
  for (const [id, code] of [
    [0, -1],
    [0, -28],
    [0, -32_005],
    [null, -1],
  ] as const) {
    instead = { id, result: null, error: { code, message: long } };
    const error: unknown = await ask().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('\\x01\\x01') });
    expect(String(error).length).toBeLessThan(2_000);
  }
  instead = { id: 0, result: null, error: { code: long, message: 'no' } };
  await expect(ask()).rejects.toMatchObject({ code: 0, message: 'getblockhash: no (0)' });
});

it('takes a node that counts questions for one that does not answer', async () => {
  code = -32_005;
  await expect(ask()).rejects.toThrow(NodeUnreachable);
});

it('reads no more of an answer than any could have, and names the node that goes on', async () => {
  endless = true;
  const asked = ask({ mostBytes: 1_000_000, timeoutMs: 3_000 });
  await expect(asked).rejects.toThrow(`${node()} does not answer: it sends more than 1000000 bytes`);
  endless = false;
});

it.each([
  [-32_601, 'whatever it says'],
  [-32_604, 'Method not enabled'],
  [-32_000, 'the method debug_traceBlockByHash does not exist/is not available'],
  [-1, 'Command unimplemented'],
])('has not got a method where a node says %i, %s', (code, said) => {
  expect(lacksMethod(new NodeRefused('debug_traceBlockByHash', code, said))).toBe(true);
});

it.each([
  'historical state 0x5d is not available',
  'missing trie node 5d (path ) state 0x5d is not available',
  'block 0x5d does not exist',
])('has a method that says of what it is asked about: %s', (said) => {
  expect(lacksMethod(new NodeRefused('debug_traceBlockByHash', -32_000, said))).toBe(false);
});
