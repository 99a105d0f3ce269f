import { bytesToHex } from '@noble/hashes/utils.js';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { extendedKeyIn, NoExtendedKey } from '../derivation/extended-key.ts';

/** Test vectors of BIP39, and what tools for developers use: everybody has their private keys. */
const MNEMONICS = [
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong',
  'test test test test test test test test test test test junk',
];
const PASSPHRASES = ['', 'TREZOR'];

/** Those of BIP32. */
const SEEDS = [
  '000102030405060708090a0b0c0d0e0f',
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
  '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
];

const PURPOSES = [44, 49, 84, 86];
const COINS = [0, 2, 5, 60, 145];
const ACCOUNTS = [0, 1];

const PATHS = PURPOSES.flatMap((purpose) =>
  COINS.flatMap((coin) => ACCOUNTS.map((account) => `m/${purpose}'/${coin}'/${account}'`)),
);

const masters = (): readonly HDKey[] => [
  ...MNEMONICS.flatMap((words) => PASSPHRASES.map((phrase) => HDKey.fromMasterSeed(mnemonicToSeedSync(words, phrase)))),
  ...SEEDS.map((seed) => HDKey.fromMasterSeed(Uint8Array.from(Buffer.from(seed, 'hex')))),
];

const nameOf = ({ publicKey, chainCode }: HDKey): string =>
  publicKey && chainCode ? `${bytesToHex(publicKey)} ${bytesToHex(chainCode)}` : '';

let published: ReadonlySet<string> | undefined;

/** However it is spelled: it is known by its point and its chain code. Made at the first question, in a second. */
const isPublished = (key: HDKey): boolean => {
  published ??= new Set(
    masters().flatMap((master) => [master, ...PATHS.map((path) => master.derive(path))].map(nameOf)),
  );
  return published.has(nameOf(key));
};

/** Throws `NoExtendedKey` for a key whose private side everybody can look up. */
export const refusePublished = (text: string): void => {
  if (isPublished(extendedKeyIn(text)))
    throw new NoExtendedKey(
      'must be a key of your own: this one is of a published test vector, whose coins anybody can take',
    );
};
