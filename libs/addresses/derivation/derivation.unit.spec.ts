import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { decimalText, type Ticker } from '#money';
import { paymentUri } from '../payment-uri.ts';
import { cashAddress } from './cash-address.ts';
import { childKeysOf } from './child-keys.ts';
import { deriverOf } from './derive.ts';
import { accountKeys, makeMnemonic } from './first-start.ts';

/** The mnemonic of the published test vectors of BIP84 and BIP49. */
const ABANDON = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

const keyOf = async (currency: Ticker): Promise<string> =>
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

describe('addresses of the coins of the older interface', () => {
  // What wallets show for the mnemonic of the vectors, at index 0 of BIP44's accounts.
  it.each([
    ['DASH', 'XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5'],
    ['BCH', 'bitcoincash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnq5tahq3q6'],
  ] as const)('are those that wallets of %s show', async (ticker, address) => {
    expect(deriverOf(ticker, await keyOf(ticker))(0)).toBe(address);
  });

  it('are the published translations of base58 into CashAddr', () => {
    const vectors = [
      ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
      ['1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR', 'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'],
      ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', 'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'],
    ] as const;
    for (const [base58, cash] of vectors)
      expect(cashAddress('bitcoincash', createBase58check(sha256).decode(base58).subarray(1))).toBe(cash);
  });

  it("have a checksum of CashAddr's own for any prefix", () => {
    const payload = Uint8Array.from(Buffer.from('F5BF48B397DAE70BE82B3CCA4793F8EB2B6CDAC9', 'hex'));
    expect(cashAddress('bitcoincash', payload)).toBe('bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2');
  });

  it('of a longer hash are the published ones', () => {
    const payload = Uint8Array.from(
      Buffer.from('3173EF6623C6B48FFD1A3DCC0CC6489B0A07BB47A37F47CFEF4FE69DE825C060', 'hex'),
    );
    const long = 'bitcoincash:qvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake';
    expect(cashAddress('bitcoincash', payload)).toBe(long);
  });

  it('of MARS have the version byte of its published ones', async () => {
    const address = deriverOf('MARS', await keyOf('MARS'))(0);
    const version = (text: string) => createBase58check(sha256).decode(text)[0];
    expect(version(address)).toBe(version('MDpHzmjcBJaT6vzMsWowQ46kCrhXc3tBii'));
    expect(address).toMatch(/^M/);
  });

  it('of DASH are the same under drkv', async () => {
    const key = await keyOf('DASH');
    expect(spelled(key, 0x02fe52f8)).toMatch(/^drkv/);
    expect(deriverOf('DASH', spelled(key, 0x02fe52f8))(0)).toBe(deriverOf('DASH', key)(0));
  });
});

describe('a payment URI', () => {
  it.each([
    ['BTC', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['LTC', 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh', 'litecoin:ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh'],
    ['DASH', 'XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5', 'dash:XoJA8qE3N2Y3jMLEtZ3vcN42qseZ8LvFf5'],
    ['MARS', 'MDpHzmjcBJaT6vzMsWowQ46kCrhXc3tBii', 'marscoin:MDpHzmjcBJaT6vzMsWowQ46kCrhXc3tBii'],
    [
      'BCH',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    ],
    ['BCH', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ] as const)('of %s is its scheme, the address and the amount', (ticker, address, expected) => {
    expect(paymentUri(ticker, address, decimalText('0.00000001'))).toBe(`${expected}?amount=0.00000001`);
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
    [
      "when it is a witnesses' key of a chain without them",
      'BCH',
      spelled(xpub, 0x04b24746),
      "BCH's main network: xpub",
    ],
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

describe('children of a key', () => {
  it('are those of @scure/bip32, which shares no code with what derives them, wherever in the range of indexes', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const parent = HDKey.fromExtendedKey(HDKey.fromMasterSeed(new Uint8Array(32).fill(seed)).publicExtendedKey);
      const { compressed, whole } = childKeysOf(parent);
      for (const index of [0, 1, 25 * seed, 123_456_789 + seed, 2 ** 31 - 1]) {
        const expected = Buffer.from(parent.deriveChild(index).publicKey ?? []);
        expect(Buffer.from(compressed(index))).toEqual(expected);
        expect(Buffer.from(whole(index).subarray(1, 33))).toEqual(expected.subarray(1));
      }
    }
  });
});
