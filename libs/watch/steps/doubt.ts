import type { Turn } from '../parts.ts';

/** A node may make up what it names, as the one that is read: it is told of, and confirms nothing, where another may be read. */
export const doubt = ({ node: read, others, failing }: Turn, reason: string, node = read): void => {
  const beside = [read, ...others].filter((each) => each !== node);
  if (!failing.has(node) && beside.some((each) => !failing.has(each))) failing.fails(node, new Error(reason));
};
