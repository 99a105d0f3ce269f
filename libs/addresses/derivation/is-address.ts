import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { Ticker } from '#money';
import { isCashAddress } from './cash-address.ts';
import { isEthereumAddress } from './ethereum.ts';
import { networks } from './networks.ts';

const base58check = createBase58check(sha256);

/** Litecoin's hashes of scripts were once written like Bitcoin's, and some wallets still do. */
const OLD_SCRIPT_HASH = 0x05;

const HASH_BYTES = 20;
const WITNESS_OF_SCRIPT_BYTES = 32;

const orUndefined = <T>(decode: () => T): T | undefined => {
  try {
    return decode();
  } catch {
    return undefined;
  }
};

const isBase58 = (address: string, versions: readonly number[]): boolean => {
  const bytes = orUndefined(() => base58check.decode(address));
  return bytes?.length === 1 + HASH_BYTES && versions.includes(bytes[0] ?? -1);
};

/** BIP173 for version 0, BIP350 for those after it. */
const isWitness = (address: string, prefix: string): boolean => {
  for (const [code, isOf] of [
    [bech32, (version: number) => version === 0],
    [bech32m, (version: number) => version >= 1 && version <= 16],
  ] as const) {
    const decoded = orUndefined(() => code.decode(address as `${string}1${string}`));
    const program = decoded && orUndefined(() => code.fromWords(decoded.words.slice(1)));
    if (!program || decoded.prefix !== prefix || !isOf(decoded.words[0] ?? -1)) continue;
    if (decoded.words[0] !== 0) return program.length >= 2 && program.length <= 40;
    return program.length === HASH_BYTES || program.length === WITNESS_OF_SCRIPT_BYTES;
  }
  return false;
};

/** Whether coins that are sent there arrive: an address of that coin's main network, with a checksum that fits. */
export const isAddressOf = (currency: Ticker, address: string): boolean => {
  if (currency === 'ETH') return isEthereumAddress(address);
  const { keyHashVersion, scriptHashVersion, bech32Prefix, cashPrefix } = networks[currency];
  const versions = [keyHashVersion, scriptHashVersion, ...(currency === 'LTC' ? [OLD_SCRIPT_HASH] : [])];
  return (
    isBase58(address, versions) ||
    (bech32Prefix !== undefined && isWitness(address, bech32Prefix)) ||
    (cashPrefix !== undefined && isCashAddress(cashPrefix, address))
  );
};
