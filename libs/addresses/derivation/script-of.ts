import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { Ticker } from '#money';
import { cashHash } from './cash-address.ts';
import { isEthereumAddress } from './ethereum.ts';
import { type Network, networks } from './networks.ts';

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

const toKeyHash = (hash: Uint8Array): string => `76a914${bytesToHex(hash)}88ac`;
const toScriptHash = (hash: Uint8Array): string => `a914${bytesToHex(hash)}87`;

const ofBase58 = (address: string, { keyHashVersion }: Network, scriptHashVersions: readonly number[]) => {
  const bytes = orUndefined(() => base58check.decode(address));
  if (bytes?.length !== 1 + HASH_BYTES) return undefined;
  const [version = -1, hash] = [bytes[0], bytes.subarray(1)];
  if (version === keyHashVersion) return toKeyHash(hash);
  return scriptHashVersions.includes(version) ? toScriptHash(hash) : undefined;
};

export const isProgram = (version: number, { length }: Uint8Array): boolean =>
  version === 0 ? length === HASH_BYTES || length === WITNESS_OF_SCRIPT_BYTES : length >= 2 && length <= 40;

export const OP_1 = 0x51;

/** BIP173 for version 0, BIP350 for those after it. */
const ofWitness = (address: string, prefix: string): string | undefined => {
  for (const [code, isOf] of [
    [bech32, (version: number) => version === 0],
    [bech32m, (version: number) => version >= 1 && version <= 16],
  ] as const) {
    const decoded = orUndefined(() => code.decode(address as `${string}1${string}`));
    const program = decoded && orUndefined(() => code.fromWords(decoded.words.slice(1)));
    const version = decoded?.words[0] ?? -1;
    if (!program || decoded.prefix !== prefix || !isOf(version)) continue;
    if (!isProgram(version, program)) return undefined;
    return bytesToHex(Uint8Array.of(version === 0 ? 0 : OP_1 + version - 1, program.length, ...program));
  }
  return undefined;
};

const ofCash = (address: string, prefix: string): string | undefined => {
  const found = cashHash(prefix, address);
  if (!found) return undefined;
  return found.isOfScript ? toScriptHash(found.hash) : toKeyHash(found.hash);
};

/**
 * What an output bears that pays to this address of the main network, as hex; of Ethereum the address in lower case.
 * Scripts know no network: the same key is paid by the same script on every one of them. Undefined: no such address.
 */
export const scriptOf = (currency: Ticker, address: string): string | undefined => {
  if (currency === 'ETH') return isEthereumAddress(address) ? address.toLowerCase() : undefined;
  const network = networks[currency];
  const { scriptHashVersion, bech32Prefix, cashPrefix } = network;
  return (
    // First, since it is what most are and tells by its prefix.
    (bech32Prefix === undefined ? undefined : ofWitness(address, bech32Prefix)) ??
    ofBase58(address, network, [scriptHashVersion, ...(currency === 'LTC' ? [OLD_SCRIPT_HASH] : [])]) ??
    (cashPrefix === undefined ? undefined : ofCash(address, cashPrefix))
  );
};

/** Whether coins that are sent there arrive: an address of that coin's main network, with a checksum that fits. */
export const isAddressOf = (currency: Ticker, address: string): boolean => scriptOf(currency, address) !== undefined;
