import type { App, CommandsOnBus } from '#door/app';
import {
  consumeSignals,
  createSimulate,
  createTakeSignals,
  simulatedSender,
  startRefunds,
  startSimulation,
  startTimers,
  startTransactionTimers,
  type TakeSignals,
} from '#engine';
import { type Ground, type ServiceDesk, startWhenPossible } from '#ground';
import { engineRoutes } from './routes.ts';

const takeSignalsOf = (ground: Ground, desk: ServiceDesk, { applySignals }: CommandsOnBus): TakeSignals => {
  const { log, logger, pool } = ground;
  const { addresses, legacy } = desk;
  return createTakeSignals({
    ...{ pool, log, applySignals, logger },
    applyToTransaction: legacy.applySignals,
    ownerOfAddress: addresses.ownerOf,
  });
};

/** "With ENGINE=external the service starts no watcher, timer, screening or refund of its own." */
const startOwnWork = (
  { lifecycle, log, logger, pool }: Ground,
  { legacy }: ServiceDesk,
  { applySignals }: CommandsOnBus,
): void => {
  const applyToTransaction = legacy.applySignals;
  const own = {
    'the timers of deposits': startTimers({ pool, log, applySignals, logger }),
    'the timers of transactions': startTransactionTimers({ pool, log, applyToTransaction, logger }),
    'the refund processor': startRefunds({ pool, log, applySignals, logger, sender: simulatedSender }),
    'the simulated engine': startSimulation({ pool, applySignals, applyToTransaction, logger }),
  };
  for (const [name, worker] of Object.entries(own)) lifecycle.onStop('stop-consumers', name, worker.stop);
};

const startConsuming = (ground: Ground, takeSignals: TakeSignals): void => {
  const { bus, logger } = ground;
  startWhenPossible(ground, 'the consumer of signals', () => consumeSignals({ bus, takeSignals, logger }));
};

/** What hears of payments, and acts on time. */
export const engine: App = {
  name: 'engine',
  door: 'operators',
  open: async ({ ground, desk, commands }) => {
    const { configuration, log, partners, pool } = ground;
    const opened = await desk();
    const takeSignals = takeSignalsOf(ground, opened, commands);
    const isSimulated = configuration.engine === 'simulated';
    const simulate = isSimulated ? createSimulate({ pool, log }) : null;
    return {
      routes: [engineRoutes({ authenticateOperator: partners.authenticateOperator, takeSignals, simulate })],
      start: () => {
        if (isSimulated) startOwnWork(ground, opened, commands);
        if (configuration.bus.kind === 'kafka') startConsuming(ground, takeSignals);
      },
    };
  },
};
