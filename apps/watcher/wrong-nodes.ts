import { StartError } from '#ground';
import type { WatchedChain } from '#watch';

type Checked = Pick<WatchedChain, 'coin' | 'agree'> & {
  readonly nodes: readonly Pick<WatchedChain['nodes'][number], 'check'>[];
};

/**
 * A node that does not answer yet may come; one that answers for another network never gets better. Where it leaves as
 * many as have to agree it keeps no start back: it may lie, and the watcher reads it no more than any that is `wrong`.
 */
export const refuseWrongNodes = async (chains: readonly Checked[]): Promise<void> => {
  for (const { coin, nodes, agree } of chains) {
    const answers = await Promise.all(nodes.map((node) => node.check().catch(() => undefined)));
    const wrong = answers.filter((answer) => answer !== undefined);
    if (wrong.length > 0 && nodes.length - wrong.length < agree)
      throw new StartError(`${coin}_NODE_URL cannot be used: ${wrong.join('; ')}`);
  }
};
