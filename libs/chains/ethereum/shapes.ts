import { shown } from '../checked-hash.ts';
import { NodeUnreadable } from '../readable.ts';

const [ACCOUNT, HASH, NUMBER] = [/^0x[0-9a-f]{40}$/i, /^0x[0-9a-f]{64}$/i, /^0x[0-9a-f]{1,64}$/i];

const told = (what: string, value: unknown, shape: RegExp): string => {
  if (typeof value === 'string' && shape.test(value)) return value;
  throw new NodeUnreadable(`it tells ${what} that can be none: ${shown(value)}`);
};

/** What it names is looked for among rows, told and screened: no node puts anything else there. */
export const accountIn = (value: unknown): string => told('an account', value, ACCOUNT).toLowerCase();

export const hashIn = (value: unknown): string => told('a hash', value, HASH).toLowerCase();

/** Of 256 bits, as all that the chain itself counts. */
export const amountIn = (value: unknown): bigint => BigInt(told('a number', value, NUMBER));

/** Of a transaction of its sender: the chain takes none of more than 64 bits, and nobody has sent that many. */
export const nonceIn = (value: unknown): number => {
  const nonce = Number(amountIn(value));
  if (Number.isSafeInteger(nonce)) return nonce;
  throw new NodeUnreadable(`it tells a transaction of a number that can be none: ${shown(value)}`);
};
