import { applies, ignored, rejected, type Verdict } from '../floor/outcome.ts';
import { isConfirmed } from '../floor/payment.ts';
import type { GuardsCompletedSignal } from '../floor/signals.ts';
import { type Deposit, stand } from '../floor/state.ts';
import type { NoConfState } from '../floor/words.ts';
import { countingPayments } from '../standing/counting.ts';
import { factOf } from '../standing/fact.ts';

const judged = (state: NoConfState, passed: boolean): NoConfState => {
  if (state === 'double_spent' || state === 'fell_back') return state;
  return passed ? 'eligible' : 'fell_back';
};

/** The guards judge all counted payments; once one of them is confirmed their judgement comes too late. */
export const onGuardsCompleted = (deposit: Deposit, signal: GuardsCompletedSignal): Verdict => {
  const { noConfState } = deposit.standing;
  if (!deposit.terms.noConf) return rejected('the deposit is not a fast one: it has no guards');
  const counting = countingPayments(deposit);
  if (counting.some(isConfirmed)) return ignored('a payment is confirmed already');
  if (noConfState === null) return rejected('no payment counts: there is nothing to guard');
  const next = judged(noConfState, signal.passed);
  if (next === noConfState) return ignored(`no_conf_state is ${noConfState}`);
  const after = stand(deposit, { noConfState: next });
  const { signalId, passed, reason, at } = signal;
  return applies({ type: 'GuardsCompleted', data: { signalId, passed, reason, ...factOf(deposit, after, at) } });
};
