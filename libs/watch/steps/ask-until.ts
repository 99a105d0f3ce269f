import type { ChainNode } from '#chains';
import type { Turn } from '../parts.ts';
import type { Taken } from './give.ts';

/** Longer than a node takes that is merely busy. */
const HANGS_MS = 1_000;

/** It says of a payment what it has by what was applied: no block that made its coins is missing there. */
export const isWell = ({ looks, failing }: Turn, node: ChainNode): boolean =>
  !failing.has(node) && looks.some((look) => look.node === node && look.state === 'ok' && !look.isBehind);

/** Undefined where it does not answer. */
export const askOne = async <T>(
  { silent, untold: { few } }: Turn,
  node: ChainNode,
  question: (node: ChainNode) => Promise<T>,
): Promise<T | undefined> => {
  if (few.leftOut.has(node)) return undefined;
  const from = performance.now();
  few.pending.add(node);
  const answer = await silent.ask(node, question);
  few.pending.delete(node);
  if (answer !== undefined || performance.now() - from < HANGS_MS) return answer;
  few.leftOut.add(node);
  few.hung += 1;
  return undefined;
};

/** `later`: what they were asked was too much for the time that there is, and they say it when they are asked again. */
export type Answers = Readonly<Record<'yes' | 'no' | 'later', readonly ChainNode[]>>;

type IsSo = (node: ChainNode) => Promise<Taken>;

/** Nobody waits for the rest once as many as are wanted have said yes. */
const askSome = (turn: Turn, nodes: readonly ChainNode[], wanted: number, isSo: IsSo): Promise<Answers> =>
  new Promise((resolve) => {
    const [yes, no, later]: [ChainNode[], ChainNode[], ChainNode[]] = [[], [], []];
    const among = (answer: Taken): ChainNode[] => {
      if (answer === 'not yet') return later;
      return answer ? yes : no;
    };
    let open = nodes.length;
    const endWhereDone = (): void => {
      if (open === 0 || yes.length >= wanted) resolve({ yes: [...yes], no: [...no], later: [...later] });
    };
    endWhereDone();
    for (const node of wanted > 0 ? nodes : [])
      void askOne(turn, node, isSo).then((answer) => {
        open -= 1;
        if (answer !== undefined) among(answer).push(node);
        endWhereDone();
      });
  });

/** Those first that are well and owe no answer, and the others where these are too few. */
export const askUntil = async (
  turn: Turn,
  nodes: readonly ChainNode[],
  wanted: number,
  isSo: IsSo,
): Promise<Answers> => {
  const prompt = nodes.filter((node) => isWell(turn, node) && !turn.untold.few.pending.has(node));
  const first = await askSome(turn, prompt, wanted, isSo);
  const rest = nodes.filter((node) => !prompt.includes(node));
  const then = await askSome(turn, rest, wanted - first.yes.length, isSo);
  const both = (which: keyof Answers): readonly ChainNode[] => [...first[which], ...then[which]];
  return { yes: both('yes'), no: both('no'), later: both('later') };
};
