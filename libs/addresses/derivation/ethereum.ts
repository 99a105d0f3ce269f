import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const ADDRESS_BYTES = 20;
const FIRST_UPPER_NIBBLE = 8;

/** EIP-55: the case of the letters is the checksum. */
const checksummed = (hex: string): string => {
  const digest = bytesToHex(keccak_256(utf8ToBytes(hex)));
  const spelled = [...hex].map((digit, at) =>
    Number.parseInt(digest.charAt(at), 16) >= FIRST_UPPER_NIBBLE ? digit.toUpperCase() : digit,
  );
  return `0x${spelled.join('')}`;
};

/** Of a key that is not compressed. */
export const ethereumAddress = (publicKey: Uint8Array): string =>
  checksummed(bytesToHex(keccak_256(publicKey.subarray(1)).subarray(-ADDRESS_BYTES)));

/** Where coins are sent to be lost: forms that were left empty, and whoever burns them. */
const NOBODYS = new Set(['0'.repeat(40), `${'0'.repeat(36)}dead`]);

/** All in one case it has no checksum; in both it has to fit. */
export const isEthereumAddress = (address: string): boolean => {
  const [, hex] = /^0x([0-9a-f]{40})$/i.exec(address) ?? [];
  if (hex === undefined || NOBODYS.has(hex.toLowerCase())) return false;
  return hex === hex.toLowerCase() || hex === hex.toUpperCase() || address === checksummed(hex.toLowerCase());
};
