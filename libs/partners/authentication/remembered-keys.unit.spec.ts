import { describe, expect, it } from '@jest/globals';
import { createGate } from '#platform/gate';
import type { KeyRecord, KeyStore } from './key-record.ts';
import { createLookUps } from './look-ups.ts';
import { rememberKeys } from './remembered-keys.ts';

const record: KeyRecord = {
  id: 1,
  affiliateId: 1,
  entityId: null,
  mode: 'live',
  scope: 'admin',
  status: 'active',
  expiresAt: null,
  hash: Buffer.alloc(32),
  affiliate: { status: 'enabled', currencies: [] },
};

const counted = () => {
  const asked: string[] = [];
  let clock = 0;
  let failing = false;
  const store: KeyStore = {
    byId: async (id) => {
      asked.push(`id ${id}`);
      if (failing) throw new Error('no database');
      return id === 1 ? record : undefined;
    },
    byHash: async (hash) => {
      asked.push(`hash ${hash.toString('hex')}`);
      return undefined;
    },
  };
  const gate = createGate({ most: 2, mostOfOne: 1 });
  const lookUps = createLookUps<KeyRecord>(gate, { ttlMs: 900, max: 3, now: () => clock });
  const { byId, byHash } = rememberKeys(store, lookUps);
  const shown = { hash: Buffer.alloc(32), from: '192.0.2.1' };
  return {
    asked,
    keys: {
      byId: (id: number) => byId(id, shown),
      byHash: (hash: Buffer) => byHash({ ...shown, hash }),
      forget: lookUps.forget,
    },
    pass: (ms: number) => {
      clock += ms;
    },
    fail: (is: boolean) => {
      failing = is;
    },
  };
};

describe('remembered keys', () => {
  it('ask the store once for many requests, also at the same time', async () => {
    const { asked, keys, pass } = counted();
    const answers = await Promise.all([keys.byId(1), keys.byId(1), keys.byId(2)]);
    pass(899);
    answers.push(await keys.byId(1), await keys.byId(2));
    expect(answers).toEqual([record, record, undefined, record, undefined]);
    expect(asked).toEqual(['id 1', 'id 2']);
  });

  it('are asked for again when their time is over', async () => {
    const { asked, keys, pass } = counted();
    await keys.byId(1);
    pass(900);
    await keys.byId(1);
    expect(asked).toEqual(['id 1', 'id 1']);
  });

  it('are forgotten at a change', async () => {
    const { asked, keys } = counted();
    await keys.byId(1);
    await keys.byHash(Buffer.from('ab', 'hex'));
    keys.forget();
    await keys.byId(1);
    await keys.byHash(Buffer.from('ab', 'hex'));
    expect(asked).toEqual(['id 1', 'hash ab', 'id 1', 'hash ab']);
  });

  it('never include a failure of the store', async () => {
    const { keys, fail } = counted();
    fail(true);
    await expect(keys.byId(1)).rejects.toThrow('no database');
    fail(false);
    expect(await keys.byId(1)).toBe(record);
  });

  it('are bounded in number, however many wrong ones are tried', async () => {
    const { asked, keys } = counted();
    for (const id of [1, 2, 3, 4]) await keys.byId(id);
    await keys.byId(1);
    expect(asked.filter((question) => question === 'id 1')).toHaveLength(2);
  });
});
