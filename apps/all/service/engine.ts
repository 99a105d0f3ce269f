import type { ApplySignals } from '#deposit-commands';
import {
  consumeSignals,
  createSimulate,
  createTakeSignals,
  listReturns,
  listSignals,
  simulatedSender,
  startRefunds,
  startSimulation,
  startTimers,
} from '#engine';
import type { EngineRoutes } from '../../engine/tokens.ts';
import type { Ground } from '../ground.ts';
import type { ServiceDesk } from './desk.ts';
import { startWhenPossible } from './start-when-possible.ts';

/** What hears of payments. */
export const openEngine = (ground: Ground, desk: ServiceDesk, applySignals: ApplySignals): EngineRoutes => {
  const { configuration, log, logger, pool } = ground;
  return {
    takeSignals: createTakeSignals({
      pool,
      log,
      applySignals,
      depositOfAddress: desk.addresses.depositOf,
      untilVisible: desk.reads.untilVisible,
      logger,
    }),
    listSignals: (filters) => listSignals(pool, filters),
    listReturns: (filters) => listReturns(pool, filters),
    simulate: configuration.engine === 'simulated' ? createSimulate({ pool, log }) : null,
  };
};

/** "With ENGINE=external the service starts no watcher, timer, screening or refund of its own." */
const startOwnWork = ({ lifecycle, log, logger, pool }: Ground, applySignals: ApplySignals): void => {
  const own = {
    'the timers of deposits': startTimers({ pool, log, applySignals, logger }),
    'the refund processor': startRefunds({ pool, log, applySignals, logger, sender: simulatedSender }),
    'the simulated engine': startSimulation({ pool, applySignals, logger }),
  };
  for (const [name, worker] of Object.entries(own)) lifecycle.onStop('stop-consumers', name, worker.stop);
};

export const startEngine = (ground: Ground, routes: EngineRoutes, applySignals: ApplySignals): void => {
  const { bus, configuration, logger } = ground;
  if (configuration.engine === 'simulated') startOwnWork(ground, applySignals);
  if (configuration.bus.kind !== 'kafka') return;
  const consume = () => consumeSignals({ bus, takeSignals: routes.takeSignals, logger });
  startWhenPossible(ground, 'the consumer of signals', consume);
};
