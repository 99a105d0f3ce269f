import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { Ticker } from '#money';
import { cashAddress } from './cash-address.ts';
import { type Network, networks } from './networks.ts';
import { isProgram, OP_1 } from './script-of.ts';

type Spelling = Omit<Network, 'scheme'>;

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
  DASH: { main: networks.DASH },
  // Some nodes still write base58 here: what is proven needs no other that writes it so.
  BCH: { main: networks.BCH },
};

const ofMars: Spelling = { ...networks.MARS, bech32Prefix: 'mars' };

/** Of MARS no network has a name but its first block: whichever is followed is its own. */
const spellingOf = (currency: Ticker, network: string): Spelling | undefined =>
  currency === 'MARS' ? ofMars : spellings[currency]?.[network];

const KEY_HASH = /^76a914([0-9a-f]{40})88ac$/;
const SCRIPT_HASH = /^a914([0-9a-f]{40})87$/;
const LONG_SCRIPT_HASH = /^aa20([0-9a-f]{64})87$/;
const WITNESS = /^(?:00|5[1-9a-f]|60)(?:[0-9a-f]{2}){3,41}$/;

const ofHash = (pattern: RegExp, version: number, script: string): string | undefined => {
  const [, hash] = pattern.exec(script) ?? [];
  return hash === undefined ? undefined : base58check.encode(Uint8Array.of(version, ...hexToBytes(hash)));
};

/** Its long hashes of scripts no other coin has. */
const ofCash = (script: string, prefix: string): string | undefined => {
  const [, keyHash] = KEY_HASH.exec(script) ?? [];
  const [, scriptHash] = SCRIPT_HASH.exec(script) ?? LONG_SCRIPT_HASH.exec(script) ?? [];
  const hash = keyHash ?? scriptHash;
  return hash === undefined ? undefined : cashAddress(prefix, hexToBytes(hash), keyHash === undefined);
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
  const spelling = spellingOf(currency, network);
  if (!spelling) return undefined;
  const { keyHashVersion, scriptHashVersion, bech32Prefix, cashPrefix } = spelling;
  if (cashPrefix !== undefined) return (script) => ofCash(script, cashPrefix);
  return (script) =>
    ofHash(KEY_HASH, keyHashVersion, script) ??
    ofHash(SCRIPT_HASH, scriptHashVersion, script) ??
    (bech32Prefix === undefined ? undefined : ofWitness(script, bech32Prefix));
};
