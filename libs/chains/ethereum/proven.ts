import { keccak_256 } from '@noble/hashes/sha3.js';
import type { ChainTransaction } from '../chain-node.ts';
import { readOr } from '../readable.ts';
import { outpointOf } from './pool.ts';
import { isOfKnownType, type Signed, signedIn, withoutBlobs } from './signed.ts';

/** Many have an address in common: what is sent on one of them is nothing on another. */
const checkChain = ({ chainId }: Signed, own: number | undefined): void => {
  if (chainId !== undefined && own !== undefined && chainId !== BigInt(own))
    throw new RangeError(`it is signed for chain ${chainId}`);
};

const transactionOf = (txid: string, raw: string, { from, nonce, to, value }: Signed): ChainTransaction => ({
  ...{ txid, replaceable: false, isPegOut: false, senders: [from], raw: () => raw },
  inputs: [outpointOf({ hash: txid, from, nonce: `0x${nonce.toString(16)}` })],
  outputs: value === 0n ? [] : [{ vout: 0, script: to, amount: value }],
});

/**
 * What bytes say of the transaction whose name is their hash; `unreadable` where this chain takes none such. Undefined
 * where they are another's, or of a type that nobody knows yet.
 */
export const provenIn = (txid: string, raw: string, chainId: number | undefined): ChainTransaction | undefined => {
  const bytes = withoutBlobs(Buffer.from(raw.slice(2), 'hex'));
  if (`0x${Buffer.from(keccak_256(bytes)).toString('hex')}` !== txid || !isOfKnownType(bytes)) return undefined;
  return readOr(txid, () => {
    const signed = signedIn(bytes);
    checkChain(signed, chainId);
    return transactionOf(txid, raw, signed);
  });
};
