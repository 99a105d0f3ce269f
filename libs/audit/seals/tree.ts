import { createHash } from 'node:crypto';

/** A step from a leaf to the root: what stands beside it. */
export type Step = { readonly side: 'left' | 'right'; readonly hash: string };

type Node = { readonly hash: Buffer; readonly leaves: number; readonly path: readonly Step[] | undefined };

const digest = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** RFC 6962, 2.1: a leaf and an inner node begin with different bytes, so that neither can be shown as the other. */
const [LEAF, INNER] = [Buffer.of(0), Buffer.of(1)];

const pathOf = (left: Node, right: Node): Node['path'] => {
  if (left.path) return [...left.path, { side: 'right', hash: right.hash.toString('hex') }];
  return right.path && [...right.path, { side: 'left', hash: left.hash.toString('hex') }];
};

const join = (left: Node, right: Node): Node => ({
  hash: digest(INNER, left.hash, right.hash),
  leaves: left.leaves + right.leaves,
  path: pathOf(left, right),
});

/** A Merkle tree over leaves that come one by one; of any number of them it keeps no more than its height. */
export const createTree = () => {
  const stack: Node[] = [];
  return {
    /** `marked`: the root will come with the path to this leaf. */
    add: (text: string, marked = false): void => {
      let node: Node = { hash: digest(LEAF, text), leaves: 1, path: marked ? [] : undefined };
      for (let last = stack.at(-1); last?.leaves === node.leaves; last = stack.at(-1)) {
        stack.pop();
        node = join(last, node);
      }
      stack.push(node);
    },
    root: (): { readonly hash: string; readonly path: readonly Step[] | undefined } => {
      const root = stack.reduceRight<Node | undefined>((right, left) => (right ? join(left, right) : left), undefined);
      return { hash: (root?.hash ?? digest()).toString('hex'), path: root?.path };
    },
  };
};

/** The root that a leaf and its path come to. */
export const rootOf = (leaf: string, path: readonly Step[]): string =>
  path
    .reduce(
      (hash, step) => {
        const beside = Buffer.from(step.hash, 'hex');
        return step.side === 'right' ? digest(INNER, hash, beside) : digest(INNER, beside, hash);
      },
      digest(LEAF, leaf),
    )
    .toString('hex');
