import { NodeRefused } from '#chains';
import type { Look } from '../nodes/look.ts';
import { createSilent, type Silent } from '../nodes/silent.ts';
import type { Turn } from '../parts.ts';

export type Tag = 'safe' | 'finalized';

/** How deep the chain itself has settled, as many nodes as have to agree say at least; else what keeps them from it. */
export type Settled = { readonly height: number | undefined; readonly problems: readonly string[] };

export type Settlement = (tag: Tag) => Promise<Settled>;

type Word = { readonly height: number } | { readonly problem: string };

/** A node whose head is young may not say, and what it has not got itself it cannot know. */
const wordOf = async (silent: Silent, { node, head }: Look, tag: Tag): Promise<Word> => {
  const problem = `${node.name} calls no block ${tag}`;
  const said = await silent.ask(node, async (): Promise<Word> => {
    try {
      const height = await node.settledHeight(tag);
      return height === undefined ? { problem } : { height: Math.min(height, head?.height ?? -1) };
    } catch (error) {
      if (!(error instanceof NodeRefused)) throw error;
      return { problem: `${problem}: ${error.message}` };
    }
  });
  return said ?? { problem: `${node.name} does not say which block is ${tag}` };
};

/** One that does not say this goes on counting for the rest of the turn. */
export const settlementAmong =
  (well: () => readonly Look[], { node: read, chain: { agree }, silent: silentBefore }: Turn): Settlement =>
  async (tag) => {
    const looks = well().toSorted((one, other) => Number(other.node === read) - Number(one.node === read));
    const silent = createSilent(looks.map(({ node }) => node).filter(silentBefore.has));
    const words: Word[] = [];
    const heights = () => words.flatMap((word) => ('height' in word ? word.height : []));
    // Where one is enough it is the one that is read, as of a number of blocks, and another where that may not say.
    for (const asked of agree === 1 ? looks.map((look) => [look]) : [looks]) {
      words.push(...(await Promise.all(asked.map((look) => wordOf(silent, look, tag)))));
      if (heights().length >= agree) break;
    }
    const height = heights().toSorted((one, other) => other - one)[agree - 1];
    const problems = words.flatMap((word) => ('problem' in word ? word.problem : []));
    return { height, problems: height === undefined ? problems : [] };
  };
