import type { ChainNode } from '#chains';
import type { Look } from '../nodes/look.ts';
import { Parted, type Turn } from '../parts.ts';
import { keptHash } from '../rows/tip.ts';
import { hashBelowHead } from './hash-below-head.ts';
import { neededIn } from './witnesses.ts';

/** The node that is read is too much alone with its branch: another may have one that others bear out. */
export class GivenUpAlone extends Parted {}

/** What another node has at a height; `said` is undefined where it does not answer. */
type Word = { readonly look: Look; readonly said: { readonly hash: string | undefined } | undefined };

const wordsOn = ({ node: read, looks, silent }: Turn, height: number): Promise<readonly Word[]> =>
  Promise.all(
    looks
      .filter(({ node, state }) => node !== read && state !== 'wrong')
      .map(async (look) => ({
        look,
        said: await silent.ask(look.node, async ({ hashAt }) => ({ hash: await hashAt(height) })),
      })),
  );

/** A restart is no reorganisation: who was up has what it had. One that ended long ago may lack what all others know. */
const isKeeping = ({ lately }: Turn, { look: { node, state }, said }: Word, applied: string | undefined): boolean => {
  if (!said) return lately.wasUp(node);
  const isLate = state === 'stale' || state === 'syncing';
  return said.hash === applied && (!isLate || lately.wasWell(node));
};

/** One that fetches what came long ago is as good as away until it has blocks there, and was not well lately. */
const isWithoutWord = ({ lately }: Turn, { look: { node, state }, said }: Word): boolean =>
  state === 'syncing' && said !== undefined && said.hash === undefined && !lately.wasWell(node);

const namesOf = (nodes: readonly ChainNode[]): string => nodes.map(({ name }) => name).join(' and ');

/** One whose head is too old, or that others left behind, begins nothing that one that was well may contradict. */
const isLeftBehind = ({ node: read, looks, lately }: Turn): boolean =>
  looks.some(({ node, state }) => node === read && state === 'stale') &&
  looks.some(({ node }) => node !== read && lately.wasWell(node));

/**
 * What was applied from this block on is given up where as many nodes have the other branch as have to agree, of those
 * that answer, and more than have that block still. One alone goes by itself.
 */
export const checkBorneOut = async (turn: Turn, height: number): Promise<void> => {
  const { pool, chain, node } = turn;
  const applied = await keptHash(pool, chain.coin, height);
  const instead = await hashBelowHead(turn, height);
  const words = await wordsOn(turn, height);
  const keeping = words.filter((word) => isKeeping(turn, word, applied)).map(({ look }) => look.node);
  const bearing = [node, ...words.filter(({ said }) => said?.hash === instead).map(({ look }) => look.node)];
  const needed = neededIn(
    turn,
    words.filter((word) => isWithoutWord(turn, word)).map(({ look }) => look.node),
  );
  const isBorneOut = bearing.length >= needed && bearing.length > keeping.length;
  if (instead !== applied && isBorneOut && !isLeftBehind(turn)) return;
  const those = keeping.length > 0 ? `, and ${namesOf(keeping)} had that when last asked` : '';
  throw new GivenUpAlone(
    `${namesOf(bearing)} ${bearing.length > 1 ? 'have' : 'has'} block ${height} (${instead}) where ${height} (${applied}) was applied${those}: too few that are well do so for what was applied to be given up, and a person has to see which of them is right`,
    true,
  );
};
