import { unless } from '../readable.ts';
import type { RpcClient } from '../rpc/client.ts';
import { NodeRefused } from '../rpc/errors.ts';

/** Each says it in words of its own. */
const GONE = /state .*(not available|unavailable)|no state available|missing trie node|pruned/i;
const KEEP = 'let ETH_NODE_URL name a node that keeps past state too (geth with --gcmode archive)';

/** What a block takes to be traced it has no longer, and will not have again. */
export const isStateGone = (error: unknown): error is NodeRefused =>
  error instanceof NodeRefused && GONE.test(error.said);

/** Of what it no longer has it says the same for ever: whoever reads that hears what helps. */
export const throwTold = (method: string, error: unknown): never => {
  if (!isStateGone(error)) throw error;
  throw new NodeRefused(method, error.code, `${error.said}: ${KEEP}`);
};

/** A day: as long as a watcher, or its nodes, may well be away. */
const REACH = 7_200;
const NOBODY = `0x${'00'.repeat(20)}`;

/** A block is traced on the state before it: whether a node has that it tells at once by a balance. */
export const pastStateMissing = async ({ call }: RpcClient, height: number): Promise<string | undefined> => {
  const block = `0x${Math.max(0, height - REACH).toString(16)}`;
  const balance = await unless(isStateGone, call<string>('eth_getBalance', NOBODY, block));
  return balance === undefined
    ? `it no longer has the state of a day ago: once the watcher is further behind than it keeps (geth as it comes 128 blocks, 26 minutes) what contracts paid is told by no node, and ETH is held for good: ${KEEP}`
    : undefined;
};
