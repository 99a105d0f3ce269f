import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Currency } from '#money';
import { deriverOf } from './derive.ts';
import { accountKeys, makeMnemonic } from './first-start.ts';

/** The mnemonic of the published test vectors of BIP84 and BIP49. */
const ABANDON = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

const keyOf = async (currency: Currency): Promise<string> =>
  (await accountKeys(ABANDON)).find((key) => key.currency === currency)?.xpub ?? '';

const spelled = (text: string, version: number): string => {
  const base58check = createBase58check(sha256);
  const bytes = base58check.decode(text);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, version);
  return base58check.encode(bytes);
};

describe('addresses below an extended public key', () => {
  it('are those of BIP84', async () => {
    const zpub =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    for (const key of [zpub, await keyOf('BTC')]) {
      const derive = deriverOf('BTC', key);
      expect([derive(0), derive(1)]).toEqual([
        'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
      ]);
    }
  });

  it('are those of BIP49 for a ypub', () => {
    const master = HDKey.fromMasterSeed(mnemonicToSeedSync(ABANDON));
    const ypub = spelled(master.derive("m/49'/0'/0'").publicExtendedKey, 0x049d7cb2);
    expect(ypub).toMatch(/^ypub/);
    expect(deriverOf('BTC', ypub)(0)).toBe('37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf');
  });

  it('are checksummed on Ethereum', async () => {
    expect(deriverOf('ETH', await keyOf('ETH'))(0)).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
  });

  it("are Litecoin's own under every spelling of the key", async () => {
    const key = await keyOf('LTC');
    const first = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
    for (const version of [0x0488b21e, 0x04b24746, 0x019da462]) {
      expect(deriverOf('LTC', spelled(key, version))(0)).toBe(first);
    }
    for (const version of [0x049d7cb2, 0x01b26ef6]) expect(deriverOf('LTC', spelled(key, version))(0)).toMatch(/^M/);
  });
});

describe('a key is refused', () => {
  const master = HDKey.fromMasterSeed(mnemonicToSeedSync(ABANDON));
  const xpub = master.derive("m/84'/0'/0'").publicExtendedKey;

  it.each([
    ['when it is private', 'BTC', master.derive("m/84'/0'/0'").privateExtendedKey, 'private'],
    ["when it is another network's private one", 'LTC', spelled(master.privateExtendedKey, 0x019d9cfe), 'private'],
    ['when it is of a test network', 'BTC', spelled(xpub, 0x043587cf), 'xpub, ypub, zpub'],
    ["when it is another coin's", 'BTC', spelled(xpub, 0x019da462), "BTC's main network"],
    ['when Ethereum has no such spelling', 'ETH', spelled(xpub, 0x04b24746), "ETH's main network: xpub"],
    ['when it was mistyped', 'BTC', `${xpub.slice(0, -1)}x`, 'checksum'],
    ['when it is an address', 'BTC', '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf', 'extended public key'],
    ['when it is anything else', 'BTC', 'hello', 'checksum'],
  ] as const)('%s', (_, currency, text, reason) => {
    const attempt = () => deriverOf(currency, text);
    expect(attempt).toThrow(reason);
    expect(attempt).not.toThrow(text);
  });

  it('when its point is not on the curve', () => {
    const base58check = createBase58check(sha256);
    const bytes = base58check.decode(xpub);
    bytes.fill(0xff, 46);
    expect(() => deriverOf('BTC', base58check.encode(bytes))).toThrow('no point');
  });
});

describe('the key of the first start', () => {
  it('is a new mnemonic of twelve words each time', () => {
    const [one, other] = [makeMnemonic(), makeMnemonic()];
    expect(one.split(' ')).toHaveLength(12);
    expect(validateMnemonic(one, wordlist)).toBe(true);
    expect(one).not.toBe(other);
  });
});
