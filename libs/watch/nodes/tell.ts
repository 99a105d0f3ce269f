import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';
import type { Look } from './look.ts';

/** Any branch that is given up looks strange for a moment. */
const STRANGE_LOOKS = 5;

type Known = Pick<Look, 'state' | 'problem'> & { readonly strange: number };

const isNews = (before: Known, { state, problem }: Look, strange: number): boolean =>
  before.state === state
    ? state === 'ok' && before.problem !== problem
    : state !== 'elsewhere' || strange >= STRANGE_LOOKS;

/** Says once what becomes of each node. */
export const createTeller = (logger: Logger, chain: Ticker) => {
  const known = new Map<string, Known>();

  const tell = ({ node, state, problem }: Look): void => {
    const what = { chain, node: node.name, state, reason: problem };
    if (state === 'ok' && problem === undefined) logger.info(what, 'a node is well again');
    else if (state === 'ok')
      logger.warn(
        { alert: 'chain_node_falls_short', ...what },
        'a node is read, and does not tell all that may be asked',
      );
    else logger.error({ alert: 'chain_node', ...what }, 'a node confirms nothing until it is well again');
  };

  return (looks: readonly Look[]): void => {
    for (const look of looks) {
      const { name } = look.node;
      const before: Known = known.get(name) ?? { state: 'ok', problem: undefined, strange: 0 };
      const strange = look.state === 'elsewhere' ? before.strange + 1 : 0;
      const news = isNews(before, look, strange);
      known.set(name, { ...(news ? look : before), strange });
      if (news) tell(look);
    }
  };
};
