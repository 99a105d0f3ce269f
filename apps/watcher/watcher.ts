import { loadDeposit } from '#deposit-commands';
import type { App } from '#door/app';
import { isUnhandled } from '#engine';
import { type Ground, takeSignalsOf } from '#ground';
import { startWatch } from '#watch';
import { chainsOf, refuseWrongNodes } from './chains-of.ts';
import { registerChainGauges } from './metrics.ts';

/** Only deposits of that kind may count unconfirmed, and only they are asked about. */
const isFastIn =
  ({ log }: Pick<Ground, 'log'>) =>
  async (depositId: number): Promise<boolean> => {
    const { state } = await loadDeposit(log, depositId);
    return state.stage !== 'none' && state.terms.noConf;
  };

/** Follows the chains with ENGINE=live, on nodes that the operator runs; with every other engine it has nothing to do. */
export const watcher: App = {
  name: 'watcher',
  open: async ({ ground, desk, commands }) => {
    const { configuration, lifecycle, logger, pool } = ground;
    if (configuration.engine !== 'live') return {};
    const chains = chainsOf(configuration.chains);
    await refuseWrongNodes(chains);
    const takeSignals = takeSignalsOf(ground, await desk(), commands.applySignals);
    registerChainGauges(ground);
    return {
      start: () => {
        const watching = startWatch({
          ...{ pool, logger, chains, takeSignals },
          isFault: isUnhandled,
          isFast: isFastIn(ground),
          fullRbf: configuration.fastUnderFullRbf,
        });
        lifecycle.onStop('stop-consumers', 'the watchers of chains', watching.stop);
      },
    };
  },
};
