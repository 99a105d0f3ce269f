import type { ChainNode } from '#chains';
import type { Turn } from '../parts.ts';
import type { KeptBlock } from '../rows/tip.ts';

/** Those that name it, in the order in which they were asked. */
export type BlockOfMost = KeptBlock & { readonly nodes: readonly [ChainNode, ...ChainNode[]] };

/** What as many nodes name at a height as are needed. */
export const blockOfMost = async (
  { silent }: Pick<Turn, 'silent'>,
  nodes: readonly ChainNode[],
  height: number,
  needed: number,
): Promise<BlockOfMost | undefined> => {
  const said = await Promise.all(
    nodes.map(async (node) => ({ node, hash: await silent.ask(node, ({ hashAt }) => hashAt(height)) })),
  );
  return [...Map.groupBy(said, ({ hash }) => hash)].flatMap(([hash, those]): BlockOfMost[] => {
    const [first, ...others] = those.map(({ node }) => node);
    return hash !== undefined && first && those.length >= needed ? [{ hash, height, nodes: [first, ...others] }] : [];
  })[0];
};
