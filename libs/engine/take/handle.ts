import type { SignalHandled } from '#deposit-commands';
import type { EngineSignal } from '#deposits';
import { inParallel } from '../in-parallel.ts';
import { isOutage } from '../outage.ts';
import type { TakeParts } from './parts.ts';

export type Work = { readonly depositId: number; readonly signal: EngineSignal };

export type Handled = {
  readonly results: ReadonlyMap<string, SignalHandled>;
  /** Set when a store did not answer, or too many called at once; what has no result then was not handled. */
  readonly outage: unknown;
};

/** Deposits at once. Signals of one deposit go one after the other anyway. */
const DEPOSITS_AT_ONCE = 16;

/** Each deposit's signals in their order, different deposits side by side; what fails with one spoils no other. */
export const handleSignals = async (
  work: readonly Work[],
  actor: string,
  { applySignals, logger }: Pick<TakeParts, 'applySignals' | 'logger'>,
): Promise<Handled> => {
  const results = new Map<string, SignalHandled>();
  let outage: unknown;
  const byDeposit = Map.groupBy(work, ({ depositId }) => depositId);
  await inParallel([...byDeposit], DEPOSITS_AT_ONCE, async ([depositId, those]) => {
    try {
      const signals = those.map(({ signal }) => signal);
      for (const result of await applySignals(depositId, signals, actor)) {
        if (result.outcome === 'busy') outage = new Error(`too many calls change deposit ${depositId} at once`);
        else results.set(result.signalId, result);
      }
    } catch (error) {
      if (isOutage(error)) outage = error;
      logger.error({ err: error, deposit_id: depositId }, 'signals of a deposit could not be handled');
    }
  });
  return { results, outage };
};
