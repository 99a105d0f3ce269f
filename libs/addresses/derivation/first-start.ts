import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Currency } from '#money';

/** Where wallets look: BIP84 for BTC and LTC, BIP44 for ETH. */
const ACCOUNTS = { BTC: "m/84'/0'/0'", LTC: "m/84'/2'/0'", ETH: "m/44'/60'/0'" } as const satisfies Record<
  Currency,
  string
>;

export const makeMnemonic = (): string => generateMnemonic(wordlist);

export type AccountKey = { readonly currency: Currency; readonly path: string; readonly xpub: string };

/** The extended public key of each currency's account: what addresses are derived from, and no coin can be spent with. */
export const accountKeys = async (mnemonic: string): Promise<readonly AccountKey[]> => {
  const master = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic));
  return Object.entries(ACCOUNTS).map(([currency, path]) => ({
    currency: currency as Currency,
    path,
    xpub: master.derive(path).publicExtendedKey,
  }));
};
