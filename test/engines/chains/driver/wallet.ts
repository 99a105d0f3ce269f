import { createHash, randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bech32 } from '@scure/base';
import { framed, le, reversed, sha256d, varint } from './wire.ts';

/** An output that the wallet can spend. */
export type Coin = { readonly txid: string; readonly vout: number; readonly amount: bigint };
export type Output = { readonly script: string; readonly amount: bigint };
export type Signed = {
  readonly txid: string;
  readonly hex: string;
  readonly coins: readonly Coin[];
  readonly outputs: readonly Output[];
};

const hash160 = (bytes: Uint8Array): Buffer =>
  createHash('ripemd160').update(createHash('sha256').update(bytes).digest()).digest();

export type Wallet = {
  readonly script: string;
  readonly address: (prefix: 'bcrt' | 'rltc') => string;
  /** Not final unless told: then it says by BIP-125 that it may be replaced. */
  readonly sign: (coins: readonly Coin[], outputs: readonly Output[], replaceable?: boolean) => Signed;
};

const SIGHASH_ALL = 1;

/** One key, native SegWit (BIP143): the node's own wallets are too slow for thousands of payments. */
export const createWallet = (secret: Uint8Array = randomBytes(32)): Wallet => {
  const publicKey = secp256k1.getPublicKey(secret, true);
  const keyHash = hash160(publicKey);
  const script = `0014${keyHash.toString('hex')}`;
  const scriptCode = Buffer.concat([Buffer.from('1976a914', 'hex'), keyHash, Buffer.from('88ac', 'hex')]);

  const sign: Wallet['sign'] = (coins, outputs, replaceable = false) => {
    const sequence = le(4, replaceable ? 0xfffffffd : 0xfffffffe);
    const outpoints = coins.map(({ txid, vout }) => Buffer.concat([reversed(txid), le(4, vout)]));
    const paid = Buffer.concat(
      outputs.map((output) => Buffer.concat([le(8, output.amount), framed(Buffer.from(output.script, 'hex'))])),
    );
    const prevouts = sha256d(Buffer.concat(outpoints));
    const sequences = sha256d(Buffer.concat(coins.map(() => sequence)));
    const version = le(4, 2);
    const witnesses = coins.map(({ amount }, nth) => {
      const outpoint = outpoints[nth] ?? Buffer.alloc(0);
      const digest = sha256d(
        Buffer.concat([
          ...[version, prevouts, sequences, outpoint, scriptCode, le(8, amount), sequence],
          ...[sha256d(paid), le(4, 0), le(4, SIGHASH_ALL)],
        ]),
      );
      const signature = secp256k1.sign(digest, secret, { prehash: false, format: 'der', lowS: true });
      return Buffer.concat([varint(2), framed(Buffer.concat([signature, le(1, SIGHASH_ALL)])), framed(publicKey)]);
    });
    const inputs = outpoints.map((outpoint) => Buffer.concat([outpoint, varint(0), sequence]));
    const body = Buffer.concat([varint(coins.length), ...inputs, varint(outputs.length), paid]);
    const bare = Buffer.concat([version, body, le(4, 0)]);
    const whole = Buffer.concat([version, Buffer.from('0001', 'hex'), body, ...witnesses, le(4, 0)]);
    return { txid: sha256d(bare).reverse().toString('hex'), hex: whole.toString('hex'), coins, outputs };
  };

  return {
    script,
    address: (prefix) => bech32.encode(prefix, [0, ...bech32.toWords(keyHash)]),
    sign,
  };
};
