import type { Deposit, KytResult, OfacAnswer } from '#deposits';
import type { Step } from './step.ts';

type Answers = { readonly kyt?: KytResult; readonly ofac?: OfacAnswer };

const riskOf: Readonly<Record<KytResult, string>> = { passed: '0.02', review: '0.55', failed: '0.97' };

/** The guards are asked for fast deposits alone, and before screening has answered. */
const guards = ({ terms }: Deposit, passed: boolean): readonly Step[] =>
  terms.noConf
    ? [{ fact: { type: 'guards.completed', passed, reason: passed ? null : 'the transaction is replaceable' } }]
    : [];

const screening = ({ kyt = 'passed', ofac = 'clear' }: Answers): readonly Step[] => [
  { fact: { type: 'kyt.completed', status: kyt, riskScore: riskOf[kyt] } },
  {
    fact: {
      type: 'ofac.completed',
      status: ofac,
      address: ofac === 'hit' ? 'simulated-sanctioned-sender' : null,
    },
  },
];

/** What follows when a payment was seen, until it is confirmed. */
export const screened = (deposit: Deposit, answers: Answers = {}, guardsPass = true): readonly Step[] => [
  ...guards(deposit, guardsPass),
  ...screening(answers),
];
