import { reasonOf } from '#platform/reason';
import type { ChainNode, ChainTransaction } from './chain-node.ts';
import { NodeRefused, NodeUnreachable } from './rpc/errors.ts';
import { sentenceOf } from './rpc/words.ts';

/** The node answered, and with what nobody can read: asked again it says the same. */
export class NodeUnreadable extends Error {
  override readonly name = 'NodeUnreadable';

  constructor(message: string, options?: ErrorOptions) {
    super(sentenceOf(message), options);
  }
}

/** What keeps a node from giving what it was asked for; another may give it. */
export const isOfNode = (error: unknown): error is Error =>
  error instanceof NodeRefused || error instanceof NodeUnreachable || error instanceof NodeUnreadable;

/** What was asked for, or undefined where it failed in a way that says that there is nothing. */
export const unless = async <T>(isNothing: (error: unknown) => boolean, asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
};

/** Of one that cannot be read its name is all that is known, and nothing that leans on it may count. */
export const readOr = (txid: string, read: () => ChainTransaction): ChainTransaction => {
  try {
    return read();
  } catch (error) {
    return {
      ...{ txid, inputs: [], outputs: [], senders: [], raw: undefined },
      ...{ replaceable: true, isPegOut: false, unreadable: sentenceOf(reasonOf(error)) },
    };
  }
};

/** Whatever a node sends, what comes of it is an error of that node. */
export const readable = (node: ChainNode): ChainNode => {
  const read =
    <Given extends readonly unknown[], T>(ask: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      try {
        return await ask(...given);
      } catch (error) {
        if (isOfNode(error)) throw error;
        throw new NodeUnreadable(`it sends what cannot be read: ${reasonOf(error)}`, { cause: error });
      }
    };
  return {
    name: node.name,
    check: read(node.check),
    shortcoming: read(node.shortcoming),
    tip: read(node.tip),
    hashAt: read(node.hashAt),
    timeAt: read(node.timeAt),
    block: read(node.block),
    settledHeight: read(node.settledHeight),
    mempool: read(node.mempool),
    transactions: read(node.transactions),
    raw: read(node.raw),
    ...(node.hasWaiting && { hasWaiting: read(node.hasWaiting) }),
    ...(node.saysOf && { saysOf: read(node.saysOf) }),
    ...(node.provenBy && { provenBy: read(node.provenBy) }),
    ...(node.spending && { spending: read(node.spending) }),
    ...(node.landed && { landed: read(node.landed) }),
    ...(node.failed && { failed: read(node.failed) }),
    submit: read(node.submit),
    spenders: read(node.spenders),
    gone: read(node.gone),
    sendersOf: read(node.sendersOf),
    ...(node.provenSendersOf && { provenSendersOf: read(node.provenSendersOf) }),
    doubt: read(node.doubt),
    ...(node.mayComeNext && { mayComeNext: read(node.mayComeNext) }),
  };
};
