import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import type { SettlementIncludedSignal } from '../floor/signals.ts';
import type { Deposit } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';
import { withheldOf } from '../standing/withheld.ts';

/** Only accepted live deposits that nothing withholds are settled, once. The status does not change. */
export const onSettlementIncluded = (deposit: Deposit, signal: SettlementIncludedSignal): Verdict => {
  const { settlementBatchId: known, standing, terms } = deposit;
  const { signalId, at, batchId } = signal;
  if (terms.test) return rejected('a test deposit is left out of settlement');
  if (standing.decision !== 'accepted') return rejected(`the decision is ${standing.decision}, not accepted`);
  if (known === batchId) return ignored(`the deposit is in batch ${batchId} already`);
  if (known !== null) return rejected(`the deposit is in batch ${known}`);
  const withheld = withheldOf(deposit);
  if (withheld !== null && withheld !== 'released')
    return rejected(`settlement is withheld (${withheld}): an admin has to release it first`);
  return applies({ type: 'SettlementIncluded', data: { signalId, batchId, ...factOf(deposit, deposit, at) } });
};
