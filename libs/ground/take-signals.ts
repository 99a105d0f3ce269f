import type { ApplySignals } from '#deposit-commands';
import { createTakeSignals, type TakeSignals } from '#engine';
import type { ServiceDesk } from './desk.ts';
import type { Ground } from './ground.ts';
import { refusedWhileLacking } from './refused-while-lacking.ts';

/** The one door of facts, for whoever hears of them: over HTTP, off the bus, or from the chains themselves. */
export const takeSignalsOf = (
  { claim, configuration, log, logger, pool }: Ground,
  { addresses, legacy }: ServiceDesk,
  applySignals: ApplySignals,
): TakeSignals =>
  createTakeSignals({
    ...{ pool, log: refusedWhileLacking(log, claim), applySignals, logger },
    logIsBeside: configuration.eventStore.kind === 'postgres',
    applyToTransaction: legacy.applySignals,
    ownerOfAddress: addresses.ownerOf,
  });
