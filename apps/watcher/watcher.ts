import { addressesOf } from '#addresses';
import { bitcoinLikeNode, type ChainNode, chainIdOf, ethereumNode, genesisOf, namedPlaces, unitsOf } from '#chains';
import { loadDeposit } from '#deposit-commands';
import type { App } from '#door/app';
import { isUnhandled } from '#engine';
import { type Ground, type ServiceDesk, StartError, takeSignalsOf } from '#ground';
import { engineSince } from '#instances';
import type { ChainConfiguration } from '#platform/configuration';
import { startWatch, type WatchedChain } from '#watch';
import { issuedAtIn } from './issued-at.ts';
import { registerChainGauges } from './metrics.ts';
import { toldInLog } from './told-in-log.ts';
import { refuseWrongNodes } from './wrong-nodes.ts';

const knowsNetwork = ({ coin, network }: ChainConfiguration): boolean =>
  (coin === 'ETH' ? chainIdOf(network) : genesisOf(coin, network)) !== undefined;

const nodesOf = ({ coin, network, login, nodeUrls }: ChainConfiguration): readonly ChainNode[] =>
  namedPlaces(nodeUrls).map((place) =>
    coin === 'ETH'
      ? ethereumNode({ ...place, network, login })
      : bitcoinLikeNode({ ...place, network, login, coin, addressOf: addressesOf(coin, network) }),
  );

const amountOf = ({ coin }: ChainConfiguration, setting: string, text: string): bigint => {
  const units = unitsOf(coin, text);
  if (units === undefined) throw new StartError(`${coin}_${setting} has more digits than ${coin}: ${text}`);
  return units;
};

const chainOf = (configuration: ChainConfiguration): WatchedChain => {
  const { coin, agree, confirmations, headMaxAgeS, dust } = configuration;
  if (!knowsNetwork(configuration))
    throw new StartError(
      `${coin}_NETWORK names no network of ${coin} that is known here: give the ${coin === 'ETH' ? 'chain id' : 'hash of its first block'}`,
    );
  return {
    ...{ coin, agree, headMaxAgeMs: headMaxAgeS * 1_000, dust: amountOf(configuration, 'DUST', dust) },
    nodes: nodesOf(configuration),
    confirmations: confirmations.map(({ from, need }) => ({
      from: amountOf(configuration, 'CONFIRMATIONS', from),
      need,
    })),
  };
};

/** Real money would be taken that nobody watches. */
const NO_NODE =
  'ENGINE=live needs a node of its own for each coin that is taken: set BTC_NODE_URL, LTC_NODE_URL or ETH_NODE_URL (DASH_NODE_URL, MARS_NODE_URL, BCH_NODE_URL)';

const chainsOf = (configurations: readonly ChainConfiguration[]): readonly WatchedChain[] => {
  if (configurations.length === 0) throw new StartError(NO_NODE);
  return configurations.map(chainOf);
};

/** Only deposits of that kind may count unconfirmed, and only they are asked about. */
const isFastIn =
  ({ log }: Pick<Ground, 'log'>) =>
  async (depositId: number): Promise<boolean> => {
    const { state } = await loadDeposit(log, depositId);
    return state.stage !== 'none' && state.terms.noConf;
  };

/** Deposits in them would be paid and nobody would see it. */
const tellUnwatched = async (
  { configuration, logger }: Ground,
  { currencies }: Pick<ServiceDesk, 'currencies'>,
): Promise<void> => {
  const watched = new Set<string>(configuration.chains.map(({ coin }) => coin));
  for (const { ticker, enabled } of await currencies.list())
    if (enabled && !watched.has(ticker))
      logger.warn(`${ticker} is taken and has no node, so nobody watches it: set ${ticker}_NODE_URL or switch it off`);
};

/** Follows the chains with ENGINE=live, on nodes that the operator runs; with every other engine it has nothing to do. */
export const watcher: App = {
  name: 'watcher',
  open: async ({ ground, desk, commands }) => {
    const { configuration, lifecycle, logger, pool } = ground;
    if (configuration.engine !== 'live') return {};
    const chains = chainsOf(configuration.chains);
    await refuseWrongNodes(chains);
    const opened = await desk();
    await tellUnwatched(ground, opened);
    const takeSignals = takeSignalsOf(ground, opened, commands.applySignals);
    registerChainGauges(ground);
    return {
      start: () => {
        const watching = startWatch({
          ...{ pool, logger, chains, takeSignals, told: toldInLog(ground.log) },
          isFault: isUnhandled,
          isFast: isFastIn(ground),
          issuedAt: issuedAtIn(ground),
          liveSince: () => engineSince(pool),
          fullRbf: configuration.fastUnderFullRbf,
        });
        lifecycle.onStop('stop-consumers', 'the watchers of chains', watching.stop);
      },
    };
  },
};
