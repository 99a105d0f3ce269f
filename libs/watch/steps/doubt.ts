import type { Turn } from '../parts.ts';

/** A node may make up what it names: it is told of, and confirms nothing, where another may be read. */
export const doubt = ({ node, others, failing }: Turn, reason: string): void => {
  if (!failing.has(node) && others.some((each) => !failing.has(each))) failing.fails(node, new Error(reason));
};
