import { bitcoinLikeNode, type ChainNode, chainIdOf, ethereumNode, genesisOf, unitsOf } from '#chains';
import { StartError } from '#ground';
import type { ChainConfiguration } from '#platform/configuration';
import type { WatchedChain } from '#watch';

const knowsNetwork = ({ coin, network }: ChainConfiguration): boolean =>
  (coin === 'ETH' ? chainIdOf(network) : genesisOf(coin, network)) !== undefined;

const nodeAt = ({ coin, network, login }: ChainConfiguration, url: string): ChainNode =>
  coin === 'ETH' ? ethereumNode({ url, network, login }) : bitcoinLikeNode({ url, network, login, coin });

const amountOf = ({ coin }: ChainConfiguration, setting: string, text: string): bigint => {
  const units = unitsOf(coin, text);
  if (units === undefined) throw new StartError(`${coin}_${setting} has more digits than ${coin}: ${text}`);
  return units;
};

const chainOf = (configuration: ChainConfiguration): WatchedChain => {
  const { coin, nodeUrls, agree, confirmations, headMaxAgeS, dust } = configuration;
  if (!knowsNetwork(configuration))
    throw new StartError(
      `${coin}_NETWORK names no network of ${coin} that is known here: give the ${coin === 'ETH' ? 'chain id' : 'hash of its first block'}`,
    );
  return {
    ...{ coin, agree, headMaxAgeMs: headMaxAgeS * 1_000, dust: amountOf(configuration, 'DUST', dust) },
    nodes: nodeUrls.map((url) => nodeAt(configuration, url)),
    confirmations: confirmations.map(({ from, need }) => ({
      from: amountOf(configuration, 'CONFIRMATIONS', from),
      need,
    })),
  };
};

/** Real money would be taken that nobody watches. */
const NO_NODE =
  'ENGINE=live needs a node of its own for each coin that is taken: set BTC_NODE_URL, LTC_NODE_URL or ETH_NODE_URL (DASH_NODE_URL, MARS_NODE_URL, BCH_NODE_URL)';

export const chainsOf = (configurations: readonly ChainConfiguration[]): readonly WatchedChain[] => {
  if (configurations.length === 0) throw new StartError(NO_NODE);
  return configurations.map(chainOf);
};

/** A node that does not answer yet may come; one that answers for another network never gets better. */
export const refuseWrongNodes = async (chains: readonly WatchedChain[]): Promise<void> => {
  for (const { coin, nodes } of chains)
    for (const node of nodes) {
      const wrong = await node.check().catch(() => undefined);
      if (wrong !== undefined) throw new StartError(`${coin}_NODE_URL cannot be used: ${wrong}`);
    }
};
