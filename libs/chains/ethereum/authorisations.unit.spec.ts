import { expect, it } from '@jest/globals';
import { authorisation } from '../../../test/engines/chains/driver/authorisation.ts';
import type { RpcClient } from '../rpc/client.ts';
import { lendingOf, mayTake, signerOf } from './authorisations.ts';
import { createLendings } from './lendings.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Of anvil's second account, for chain 31337, by its first number. */
const signed = authorisation('11'.repeat(20));
const account = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const { yParity: _, ...unmarked } = signed;

/** What waits, as a node tells it. */
const waiting = async (lists: Readonly<Record<string, readonly object[]>>) => {
  const batch = async <T>() => Object.values(lists).map((authorizationList) => ({ authorizationList }) as T);
  const client: RpcClient = { name: 'node', timeoutMs: 0, batch, call: () => Promise.reject(new Error('not asked')) };
  const lendings = createLendings(client, 31_337);
  await lendings.look(Object.keys(lists));
  return lendings;
};

const taken = async (those: readonly object[], outpoint: string) =>
  (await waiting({ '0xa1': those })).mayTake(outpoint, '0xb1');

it('an authorisation tells who signed it', () => {
  expect(signerOf(signed)).toBe(account);
  expect(signerOf({ ...signed, nonce: '0x1' })).not.toBe(account);
  expect(signerOf({ ...signed, r: '0x0' })).toBe('nobody');
  const s = `0x${(ORDER - BigInt(signed.s)).toString(16)}`;
  expect(signerOf({ ...signed, s, yParity: `0x${1 - Number(signed.yParity)}` })).toBe('nobody');
});

it.each([0, 27])('so it does where it comes with v, which is %i more', (more) => {
  for (const to of ['11', '33']) {
    const { yParity: parity, ...rest } = authorisation(to.repeat(20));
    expect(signerOf({ ...rest, v: `0x${(Number(parity) + more).toString(16)}` })).toBe(account);
  }
});

it('it may take that number of whoever signed it, and no other', async () => {
  expect(await taken([signed], `${account}:0`)).toBe(true);
  expect(await taken([signed], `${account}:1`)).toBe(false);
  expect(await taken([signed], `0x${'22'.repeat(20)}:0`)).toBe(false);
  expect(await taken([{ ...signed, chainId: '0x1' }], `${account}:0`)).toBe(false);
  expect((await waiting({ '0xa1': [signed] })).mayTake(`${account}:0`, '0xa1')).toBe(false);
});

it.each([
  ['its signature', unmarked],
  ['its number', { ...signed, nonce: undefined }],
  ['its chain', { ...signed, chainId: undefined }],
  ['the code', { ...signed, address: '0x' }],
  ['half of its signature', { ...signed, s: '12345' }],
])('of one that does not tell %s it cannot be told', async (_, odd) => {
  expect(await taken([odd], `${account}:0`)).toBeUndefined();
  expect(await taken([odd, signed], `${account}:0`)).toBe(true);
});

it('among more than anybody can look through it cannot be told, of that number', async () => {
  const many = Array.from({ length: 101 }, () => ({ ...signed, s: '0x7' }));
  expect(await taken(many, `${account}:0`)).toBeUndefined();
  expect(await taken(many, `${account}:1`)).toBe(false);
  expect(await taken([signed, ...many], `${account}:0`)).toBe(true);
});

it('who signed one is looked for once, however many payments wait', () => {
  const many = Array.from({ length: 100 }, () => lendingOf({ ...signed, s: '0x7' }));
  const ask = (): number => {
    const start = performance.now();
    mayTake(many, `0x${'22'.repeat(20)}`);
    return performance.now() - start;
  };
  const first = ask();
  expect(ask()).toBeLessThan(first / 5);
});

it('what uses up other numbers is not looked through for each payment', async () => {
  const many = Array.from({ length: 20_000 }, (_, nth) => ({ ...signed, nonce: `0x${(nth + 10).toString(16)}` }));
  const lendings = await waiting({ '0xa1': many });
  const start = performance.now();
  for (let nth = 0; nth < 2_000; nth += 1) lendings.mayTake(`${account}:1`, '0xb1');
  expect(performance.now() - start).toBeLessThan(1_000);
});
