import type { Ticker } from '#money';
import type { Logger } from '#platform/logging';
import type { Look } from './look.ts';

/** Any branch that is given up looks strange for a moment. */
const STRANGE_LOOKS = 5;

type Known = { readonly state: Look['state']; readonly strange: number };

const isNews = (before: Known, { state }: Look, strange: number): boolean =>
  before.state !== state && (state !== 'elsewhere' || strange >= STRANGE_LOOKS);

/** Says once what becomes of each node. */
export const createTeller = (logger: Logger, chain: Ticker) => {
  const known = new Map<string, Known>();

  const tell = ({ node, state, problem }: Look): void => {
    const what = { chain, node: node.name, state, reason: problem };
    if (state === 'ok') logger.info(what, 'a node is well again');
    else logger.error({ alert: 'chain_node', ...what }, 'a node confirms nothing until it is well again');
  };

  return (looks: readonly Look[]): void => {
    for (const look of looks) {
      const { name } = look.node;
      const before: Known = known.get(name) ?? { state: 'ok', strange: 0 };
      const strange = look.state === 'elsewhere' ? before.strange + 1 : 0;
      const news = isNews(before, look, strange);
      known.set(name, { state: news ? look.state : before.state, strange });
      if (news) tell(look);
    }
  };
};
