import { bech32 } from '@scure/base';

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_WORDS = 8;
const KEY_HASH_OF_20_BYTES = 0;
const HASH_OF_SCRIPT_OF_20_BYTES = 8;
const WITH_32_BYTES = 3;
const LONG_HASH_BYTES = 32;

const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n] as const;

/** The BCH code of CashAddr: 40 bits, other generators than those of bech32. */
const polymod = (words: readonly number[]): bigint => {
  let state = 1n;
  for (const word of words) {
    const top = state >> 35n;
    state = ((state & 0x07ffffffffn) << 5n) ^ BigInt(word);
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> BigInt(bit)) & 1n) state ^= generator;
  }
  return state ^ 1n;
};

const checksum = (prefix: string, words: readonly number[]): readonly number[] => {
  const letters = Array.from(prefix, (letter) => letter.charCodeAt(0) & 0x1f);
  const padding = Array.from({ length: CHECKSUM_WORDS }, () => 0);
  const code = polymod([...letters, 0, ...words, ...padding]);
  return padding.map((_, place) => Number((code >> BigInt(5 * (CHECKSUM_WORDS - 1 - place))) & 0x1fn));
};

/** Pays to the hash of a key, or of a script, in the spelling of Bitcoin Cash. */
export const cashAddress = (prefix: string, hash: Uint8Array, isOfScript = false): string => {
  const kind = isOfScript ? HASH_OF_SCRIPT_OF_20_BYTES : KEY_HASH_OF_20_BYTES;
  const length = hash.length === LONG_HASH_BYTES ? WITH_32_BYTES : 0;
  const words = bech32.toWords(Uint8Array.of(kind + length, ...hash));
  return `${prefix}:${[...words, ...checksum(prefix, words)].map((word) => ALPHABET[word]).join('')}`;
};

const LENGTH_OF_20_BYTES = 34;

/** With its prefix or without, as wallets copy it; of the hash of a key or of a script. */
export const cashHash = (
  prefix: string,
  address: string,
): { readonly isOfScript: boolean; readonly hash: Uint8Array } | undefined => {
  const lower = address === address.toUpperCase() ? address.toLowerCase() : address;
  const text = lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower;
  const words = Array.from(text, (letter) => ALPHABET.indexOf(letter));
  if (words.length !== LENGTH_OF_20_BYTES + CHECKSUM_WORDS || words.includes(-1)) return undefined;
  const payload = words.slice(0, -CHECKSUM_WORDS);
  if (String([...payload, ...checksum(prefix, payload)]) !== String(words)) return undefined;
  const [kind = -1, ...hash] = bech32.fromWords(payload);
  if (kind !== KEY_HASH_OF_20_BYTES && kind !== HASH_OF_SCRIPT_OF_20_BYTES) return undefined;
  return { isOfScript: kind === HASH_OF_SCRIPT_OF_20_BYTES, hash: Uint8Array.from(hash) };
};
