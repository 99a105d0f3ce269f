import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { Ticker } from '#money';
import { type Network, networks } from './networks.ts';
import { isProgram } from './script-of.ts';

type Spelling = Pick<Network, 'keyHashVersion' | 'scriptHashVersion'> & { readonly bech32Prefix: string };

const base58check = createBase58check(sha256);

const ofBitcoinsTests = (bech32Prefix: string): Spelling => ({
  ...{ keyHashVersion: 0x6f, scriptHashVersion: 0xc4, bech32Prefix },
});

const ofLitecoinsTests = (bech32Prefix: string): Spelling => ({
  ...{ keyHashVersion: 0x6f, scriptHashVersion: 0x3a, bech32Prefix },
});

/** As their own nodes write addresses. */
const spellings: Readonly<Partial<Record<Ticker, Readonly<Record<string, Spelling>>>>> = {
  BTC: {
    main: { ...networks.BTC, bech32Prefix: 'bc' },
    testnet4: ofBitcoinsTests('tb'),
    signet: ofBitcoinsTests('tb'),
    regtest: ofBitcoinsTests('bcrt'),
  },
  LTC: {
    main: { ...networks.LTC, bech32Prefix: 'ltc' },
    testnet: ofLitecoinsTests('tltc'),
    regtest: ofLitecoinsTests('rltc'),
  },
};

const KEY_HASH = /^76a914([0-9a-f]{40})88ac$/;
const SCRIPT_HASH = /^a914([0-9a-f]{40})87$/;
const WITNESS = /^(?:00|5[1-9a-f]|60)(?:[0-9a-f]{2}){3,41}$/;

const OP_1 = 0x51;

const ofHash = (pattern: RegExp, version: number, script: string): string | undefined => {
  const [, hash] = pattern.exec(script) ?? [];
  return hash === undefined ? undefined : base58check.encode(Uint8Array.of(version, ...hexToBytes(hash)));
};

const ofWitness = (script: string, prefix: string): string | undefined => {
  if (!WITNESS.test(script)) return undefined;
  const bytes = hexToBytes(script);
  const [op = 0, length] = bytes;
  const [version, program] = [op === 0 ? 0 : op - OP_1 + 1, bytes.subarray(2)];
  if (program.length !== length || !isProgram(version, program)) return undefined;
  return (version === 0 ? bech32 : bech32m).encode(prefix, [version, ...bech32.toWords(program)]);
};

/** The address that an output with this script pays to; undefined where it pays to none, as to a key or a bare script. */
export type AddressOf = (script: string) => string | undefined;

/** Undefined of a network whose addresses are not known here. */
export const addressesOf = (currency: Ticker, network: string): AddressOf | undefined => {
  const spelling = spellings[currency]?.[network];
  if (!spelling) return undefined;
  const { keyHashVersion, scriptHashVersion, bech32Prefix } = spelling;
  return (script) =>
    ofHash(KEY_HASH, keyHashVersion, script) ??
    ofHash(SCRIPT_HASH, scriptHashVersion, script) ??
    ofWitness(script, bech32Prefix);
};
