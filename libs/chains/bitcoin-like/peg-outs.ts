import type { ChainTransaction } from '../chain-node.ts';
import type { Format } from './parse.ts';

/** As it is paid by the transaction of a block that moves on what is in it (OP_8 and the hash of its header). */
const EXTENSION = /^5820[0-9a-f]{64}$/;

const paysExtension = ({ outputs: [first] }: ChainTransaction): boolean =>
  first !== undefined && EXTENSION.test(first.script);

/**
 * Neither the id of a transaction nor the root of a block says anything of the mark that one pays what came out of the
 * extension, and a node may leave it out. What they do say is which it is: the last one, behind the coinbase, that pays the
 * extension first. Undefined where another one is marked.
 */
export const withPegOut = (
  transactions: readonly ChainTransaction[],
  { hasExtension }: Format,
): readonly ChainTransaction[] | undefined => {
  const last = hasExtension === true ? transactions.slice(1).at(-1) : undefined;
  const pegOut = last && paysExtension(last) ? last : undefined;
  if (transactions.some((each) => each.isPegOut && each !== pegOut)) return undefined;
  return transactions.map((each) => (each === pegOut ? { ...each, isPegOut: true } : each));
};
