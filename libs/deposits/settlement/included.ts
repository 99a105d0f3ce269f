import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import type { SettlementIncludedSignal } from '../floor/signals.ts';
import type { Deposit } from '../floor/state.ts';
import { factOf } from '../standing/fact.ts';

/** Only accepted live deposits are settled, once. The status does not change. */
export const onSettlementIncluded = (deposit: Deposit, signal: SettlementIncludedSignal): Verdict => {
  const { settlementBatchId: known, standing, terms } = deposit;
  const { signalId, at, batchId } = signal;
  if (terms.test) return rejected('a test deposit is left out of settlement');
  if (standing.decision !== 'accepted') return rejected(`the decision is ${standing.decision}, not accepted`);
  if (known === batchId) return ignored(`the deposit is in batch ${batchId} already`);
  if (known !== null) return rejected(`the deposit is in batch ${known}`);
  return applies({ type: 'SettlementIncluded', data: { signalId, batchId, ...factOf(deposit, deposit, at) } });
};
