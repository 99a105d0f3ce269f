import { type DebianProgram, debianProgram } from './debian.ts';
import { goProgram, npmProgram } from './registries.ts';

const ofEveryProgram = ['libc6', 'libstdc++6', 'libgcc-s1'];

const knots: DebianProgram = {
  suite: 'sid',
  name: 'bitcoin-knots',
  version: '29.4.knots20260508.3-1',
  sha256: '33649ca0ff563b2276b0c13cf11e8b1f87b2a977bb3f91d86fdee569d8568cc1',
  program: 'usr/bin/bitcoind',
  libraries: [
    ...ofEveryProgram,
    ...['libevent-core-2.1-7t64', 'libevent-extra-2.1-7t64', 'libevent-pthreads-2.1-7t64', 'libsqlite3-0', 'libzmq5'],
    ...['libsodium26', 'libpgm-5.3-0t64', 'libnorm1t64', 'libbsd0', 'libmd0', 'libgssapi-krb5-2', 'libkrb5-3'],
    ...['libk5crypto3', 'libcom-err2', 'libkrb5support0', 'libkeyutils1', 'libssl3t64'],
  ],
};

const litecoin: DebianProgram = {
  suite: 'bookworm',
  name: 'litecoind',
  version: '0.21.2.1-1+b1',
  sha256: '6a72afa9311f33c5070e11bcef165b230b15f9b68898603f43ce59c82575c7a6',
  // What stands in /usr/bin is a script that writes to the home of whoever calls it.
  program: 'usr/lib/litecoin/litecoind',
  libraries: [
    ...ofEveryProgram,
    ...['libboost-filesystem1.74.0', 'libboost-thread1.74.0', 'libdb5.3++', 'libevent-2.1-7'],
    ...['libevent-pthreads-2.1-7', 'libfmt9', 'libleveldb1d', 'libsnappy1v5', 'libminiupnpc17', 'libssl3'],
  ],
};

/** The real nodes of the tests: where each comes from, pinned. Each answers with the beginning of its command line. */
export const programs = {
  bitcoind: () => debianProgram(knots),
  litecoind: () => debianProgram(litecoin),
  btcd: () =>
    goProgram({
      module: 'github.com/btcsuite/btcd',
      main: 'github.com/btcsuite/btcd',
      version: 'v0.26.2',
      sum: 'h1:hPXzICjUZOsW2JwBLg9nHwGabc/D7pJDlna2vTB/SWI=',
    }),
  // The next minor release does not build from the Go proxy.
  geth: () =>
    goProgram({
      module: 'github.com/ethereum/go-ethereum',
      main: 'github.com/ethereum/go-ethereum/cmd/geth',
      version: 'v1.16.9',
      sum: 'h1:UTJ93yoXD7BEMWg+9lSZ8/Zvf0oZfy2ZUmv0Gn0ZclE=',
    }),
  anvil: () =>
    npmProgram({
      name: '@foundry-rs/anvil-linux-amd64',
      version: '1.7.1',
      sha512: '+XmShybEaxfCrr0OUUZwYEy2OnYZt5pHH9TzBtLv3+VrK0O/ANuNSVEahqNhKHlgX7GRJ59383ofNhxkRWIYTg==',
      program: 'bin/anvil',
    }),
} as const;

export type NodeName = keyof typeof programs;

/** What keeps this machine from having one of them, in a sentence; undefined when nothing does. */
export const missingNode = async (name: NodeName): Promise<string | undefined> => {
  try {
    await programs[name]();
    return undefined;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    return `${name} cannot be had: ${reason}`;
  }
};
