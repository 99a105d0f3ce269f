import type { ChainNode } from '#chains';
import type { Failing } from './failing.ts';
import type { Look } from './look.ts';

/** Without those that failed since. */
export const wellAmong = (looks: readonly Look[], failing: Failing): readonly Look[] =>
  looks.filter(({ node, state }) => state === 'ok' && !failing.has(node));

export const wellNodes = (looks: readonly Look[], failing: Failing): readonly ChainNode[] =>
  wellAmong(looks, failing).map(({ node }) => node);
