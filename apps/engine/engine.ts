import type { App, CommandsOnBus } from '#door/app';
import {
  consumeSignals,
  createSimulate,
  createTakeSignals,
  simulatedSender,
  startRefunds,
  startSimulation,
  startTimers,
  type TakeSignals,
} from '#engine';
import { type Ground, type ServiceDesk, startWhenPossible } from '#ground';
import { EngineModule } from './engine.module.ts';

const takeSignalsOf = (ground: Ground, desk: ServiceDesk, { applySignals }: CommandsOnBus): TakeSignals => {
  const { log, logger, pool } = ground;
  const { addresses, reads } = desk;
  return createTakeSignals({
    ...{ pool, log, applySignals, logger },
    depositOfAddress: async (address) => {
      const owner = await addresses.ownerOf(address);
      return owner && 'depositId' in owner ? owner.depositId : undefined;
    },
    untilVisible: reads.untilVisible,
  });
};

/** "With ENGINE=external the service starts no watcher, timer, screening or refund of its own." */
const startOwnWork = ({ lifecycle, log, logger, pool }: Ground, { applySignals }: CommandsOnBus): void => {
  const own = {
    'the timers of deposits': startTimers({ pool, log, applySignals, logger }),
    'the refund processor': startRefunds({ pool, log, applySignals, logger, sender: simulatedSender }),
    'the simulated engine': startSimulation({ pool, applySignals, logger }),
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
    const takeSignals = takeSignalsOf(ground, await desk(), commands);
    const isSimulated = configuration.engine === 'simulated';
    const simulate = isSimulated ? createSimulate({ pool, log }) : null;
    return {
      routes: [EngineModule.with({ authenticateOperator: partners.authenticateOperator, takeSignals, simulate })],
      start: () => {
        if (isSimulated) startOwnWork(ground, commands);
        if (configuration.bus.kind === 'kafka') startConsuming(ground, takeSignals);
      },
    };
  },
};
