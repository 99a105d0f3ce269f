import type { App, CommandsOnBus } from '#door/app';
import {
  consumeSignals,
  createSimulate,
  simulatedSender,
  startFailingSignals,
  startRefunds,
  startSimulation,
  startTimers,
  startTransactionTimers,
  type TakeSignals,
} from '#engine';
import { type Ground, type ServiceDesk, startWhenPossible, takeSignalsOf } from '#ground';
import { engineRoutes } from './routes.ts';

/** "With ENGINE=external the service starts no watcher, timer, screening or refund of its own." */
const startOwnWork = (
  { configuration, lifecycle, log, logger, pool }: Ground,
  { legacy }: ServiceDesk,
  { applySignals }: CommandsOnBus,
): void => {
  const applyToTransaction = legacy.applySignals;
  const timeToScreen = configuration.engine === 'live' ? 'since_recorded' : 'since_seen';
  const timers = {
    'the timers of deposits': startTimers({ pool, log, applySignals, logger, timeToScreen }),
    'the timers of transactions': startTransactionTimers({ pool, log, applyToTransaction, logger }),
  };
  // Beside real coins nothing is played: whoever pays refunds and screens reports it by signals.
  const played = configuration.engine === 'simulated' && {
    'the refund processor': startRefunds({ pool, log, applySignals, logger, sender: simulatedSender }),
    'the simulated engine': startSimulation({ pool, applySignals, applyToTransaction, logger }),
  };
  const own = { ...timers, ...played };
  for (const [name, worker] of Object.entries(own)) lifecycle.onStop('stop-consumers', name, worker.stop);
};

const startConsuming = (ground: Ground, { addresses }: ServiceDesk, takeSignals: TakeSignals): void => {
  const { bus, lifecycle, logger, pool } = ground;
  const parts = { bus, pool, takeSignals, ownerOfAddress: addresses.ownerOf, logger };
  startWhenPossible(ground, 'the consumer of signals', () => consumeSignals(parts));
  const failing = startFailingSignals({ pool, takeSignals, logger });
  lifecycle.onStop('stop-consumers', 'the signals that failed', failing.stop);
};

/** What hears of payments, and acts on time. */
export const engine: App = {
  name: 'engine',
  door: 'operators',
  open: async ({ ground, desk, commands }) => {
    const { configuration, log, pool } = ground;
    const opened = await desk();
    const takeSignals = takeSignalsOf(ground, opened, commands.applySignals);
    const isSimulated = configuration.engine === 'simulated';
    const simulate = isSimulated ? createSimulate({ pool, log }) : null;
    return {
      routes: [engineRoutes({ takeSignals, simulate })],
      start: () => {
        if (configuration.engine !== 'external') startOwnWork(ground, opened, commands);
        if (configuration.bus.kind === 'kafka') startConsuming(ground, opened, takeSignals);
      },
    };
  },
};
