import { createServer } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { le, reversed, sha256d, varint } from '../../test/engines/chains/driver/wire.ts';
import { servedPerFile } from '../../test/support/served-per-file.ts';
import { bitcoinLikeNode, ethereumNode } from './index.ts';

type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** What is answered to whatever is asked by the name of a transaction. */
let given: Readonly<Record<string, string>> = {};
let block = '';

const answerTo = ({ id, method, params }: Asked): string => {
  const result = method === 'getblock' ? block : given[String(params[0])];
  return `{"jsonrpc":"2.0","id":${id},"result":"${result ?? ''}"}`;
};

const server = createServer(async (request, response) => {
  const asked: Asked | readonly Asked[] = JSON.parse((await request.toArray()).join(''));
  response.end('map' in asked ? `[${asked.map(answerTo).join()}]` : answerTo(asked));
});
const url = servedPerFile(server);
beforeEach(() => {
  [given, block] = [{}, ''];
});

const bitcoin = (coin: 'BTC' | 'BCH' = 'BTC') =>
  bitcoinLikeNode({ url: url(), coin, network: 'regtest', addressOf: (script) => `at ${script}` });

/** Nine bytes each, and a hundred and more where they are held. */
const EMPTY_OUTPUT_BYTES = 9;

const long = (atLeast: number): { readonly txid: string; readonly bytes: Buffer } => {
  const count = Math.ceil(atLeast / EMPTY_OUTPUT_BYTES);
  const spending = [varint(1), reversed('11'.repeat(32)), le(4, 3), varint(0), le(4, 0xffffffff)];
  const making = [Buffer.from([0xfe]), le(4, count), Buffer.alloc(count * EMPTY_OUTPUT_BYTES)];
  const bytes = Buffer.concat([le(4, 2), ...spending, ...making, le(4, 0)]);
  return { txid: sha256d(bytes).reverse().toString('hex'), bytes };
};

const give = ({ txid, bytes }: ReturnType<typeof long>): string => {
  given = { ...given, [txid]: bytes.toString('hex') };
  return txid;
};

const MB = 1_000_000;

describe('a transaction that waits', () => {
  it('is read up to what policy lets wait', async () => {
    const txid = give(long(0.4 * MB - 100));
    const [read] = await bitcoin().transactions([txid]);
    expect(read).toMatchObject({ txid, inputs: [`${'11'.repeat(32)}:3`] });
    expect(read?.unreadable).toBeUndefined();
  });

  it('is no more than its name where it is longer than that, and keeps nothing from what is asked for with it', async () => {
    const [short, tooLong] = [give(long(1_000)), give(long(MB))];
    expect(await bitcoin().transactions([tooLong, short])).toMatchObject([
      { txid: tooLong, outputs: [], replaceable: true, unreadable: expect.stringContaining('bytes') },
      { txid: short, inputs: [expect.any(String)] },
    ]);
  });

  it.each(['transactions', 'raw'] as const)(
    'is not taken in by %s where the answer is longer than any',
    async (ask) => {
      given = { ab: 'ab'.repeat(30 * MB) };
      const answer = ask === 'raw' ? bitcoin().raw('ab') : bitcoin().transactions(['ab']);
      await expect(answer).rejects.toThrow('it sends more than');
    },
  );

  it('of Ethereum is not taken in by its bytes likewise', async () => {
    given = { '0xab': `0x${'ab'.repeat(10 * MB)}` };
    await expect(ethereumNode({ url: url(), network: 'main' }).provenBy?.('0xab')).rejects.toThrow(
      'it sends more than',
    );
  });
});

describe('one that a miner takes is longer than any that waits', () => {
  const mined = long(0.9 * MB);

  it('and is found in its block', async () => {
    const header = Buffer.concat([le(4, 1), Buffer.alloc(32), sha256d(mined.bytes), Buffer.alloc(12)]);
    block = Buffer.concat([header, varint(1), mined.bytes]).toString('hex');
    const there = await bitcoin().block(sha256d(header).reverse().toString('hex'));
    expect(there?.transactions).toMatchObject([{ txid: mined.txid }]);
  });

  it('and is given as it is sent again', async () => {
    expect(await bitcoin().raw(give(mined))).toBe(mined.bytes.toString('hex'));
  });

  const spendingOf = ({ txid }: ReturnType<typeof long>) => ({
    ...{ txid: 'cd', inputs: [`${txid}:7`], outputs: [], senders: [], raw: undefined },
    ...{ replaceable: false, isPegOut: false },
  });

  it('and proves where what spends it comes from, unless it is longer than a block', async () => {
    const tooLong = long(5 * MB);
    give(mined);
    give(tooLong);
    expect(await bitcoin().provenSendersOf?.(spendingOf(mined), 'block')).toEqual(['at ']);
    expect(await bitcoin().provenSendersOf?.(spendingOf(tooLong), 'block')).toBeUndefined();
  });
});
