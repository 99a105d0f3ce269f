import type { ChainNode } from '#chains';
import type { Turn } from '../parts.ts';

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

export type Answers = { readonly yes: readonly ChainNode[]; readonly no: readonly ChainNode[] };

type IsSo = (node: ChainNode) => Promise<boolean>;

/** Nobody waits for the rest once as many as are wanted have said yes. */
const askSome = (turn: Turn, nodes: readonly ChainNode[], wanted: number, isSo: IsSo): Promise<Answers> =>
  new Promise((resolve) => {
    const [yes, no]: [ChainNode[], ChainNode[]] = [[], []];
    let open = nodes.length;
    const endWhereDone = (): void => {
      if (open === 0 || yes.length >= wanted) resolve({ yes: [...yes], no: [...no] });
    };
    endWhereDone();
    for (const node of wanted > 0 ? nodes : [])
      void askOne(turn, node, isSo).then((answer) => {
        open -= 1;
        if (answer !== undefined) (answer ? yes : no).push(node);
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
  return { yes: [...first.yes, ...then.yes], no: [...first.no, ...then.no] };
};
