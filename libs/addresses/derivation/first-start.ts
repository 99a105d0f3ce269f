import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { type Ticker, tickers } from '#money';

/** Where wallets look: BIP84 for BTC and LTC, BIP44 for the others; those of Marscoin count it as type 2. */
const ACCOUNTS: Readonly<Record<Ticker, string>> = {
  BTC: "m/84'/0'/0'",
  LTC: "m/84'/2'/0'",
  ETH: "m/44'/60'/0'",
  DASH: "m/44'/5'/0'",
  MARS: "m/44'/2'/0'",
  BCH: "m/44'/145'/0'",
};

export const makeMnemonic = (): string => generateMnemonic(wordlist);

export type AccountKey = { readonly currency: Ticker; readonly path: string; readonly xpub: string };

/** The extended public key of each account: what addresses are derived from, and no coin can be spent with. */
export const accountKeys = async (
  mnemonic: string,
  currencies: readonly Ticker[] = tickers,
): Promise<readonly AccountKey[]> => {
  const master = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic));
  return currencies.map((currency) => {
    const path = ACCOUNTS[currency];
    return { currency, path, xpub: master.derive(path).publicExtendedKey };
  });
};
