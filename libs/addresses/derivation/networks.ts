import type { LegacyCurrency } from '#money';

/** All that tells one bitcoin-like chain's addresses from another's. */
export type Network = {
  /** Base58 versions: of the hash of a key, of the hash of a script. */
  readonly keyHashVersion: number;
  readonly scriptHashVersion: number;
  readonly bech32Prefix?: string;
  /** Set where addresses are CashAddr and no longer base58. */
  readonly cashPrefix?: string;
  /** Of payment URIs, without the colon. */
  readonly scheme: string;
};

/** Another bitcoin-like coin is another line. */
export const networks: Readonly<Record<LegacyCurrency, Network>> = {
  BTC: { keyHashVersion: 0x00, scriptHashVersion: 0x05, bech32Prefix: 'bc', scheme: 'bitcoin' },
  LTC: { keyHashVersion: 0x30, scriptHashVersion: 0x32, bech32Prefix: 'ltc', scheme: 'litecoin' },
  DASH: { keyHashVersion: 0x4c, scriptHashVersion: 0x10, scheme: 'dash' },
  BCH: { keyHashVersion: 0x00, scriptHashVersion: 0x05, cashPrefix: 'bitcoincash', scheme: 'bitcoincash' },
  MARS: { keyHashVersion: 0x32, scriptHashVersion: 0x05, scheme: 'marscoin' },
};
