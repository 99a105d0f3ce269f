import type { CurrentRate } from '../floor/amounts.ts';
import type { DepositCommand } from '../floor/commands.ts';
import type { EngineSignal } from '../floor/signals.ts';
import {
  accept,
  confirmed,
  deadlineMissed,
  doubleSpent,
  dropped,
  expired,
  freeze,
  giveBack,
  guards,
  issue,
  kyt,
  minute,
  money,
  ofac,
  refundBroadcast,
  refundDropped,
  release,
  releaseSettlement,
  reorged,
  review,
  seen,
  settled,
} from './commands.ts';

/** One throw of dice: whole numbers that pick among a few possibilities each. */
export type Dice = {
  readonly what: number;
  readonly payment: number;
  readonly amount: number;
  readonly minutes: number;
  readonly flag: boolean;
  readonly signalId: number;
};

const pick = <Value>(values: readonly [Value, ...Value[]], n: number): Value => values[n % values.length] ?? values[0];

const rates: readonly [CurrentRate, ...CurrentRate[]] = ['unavailable', money('50'), money('400'), money('0')];

const signalsOf = ({ payment, amount, flag }: Dice, at: string): readonly [EngineSignal, ...EngineSignal[]] => {
  const about = { txid: pick(['tx-a', 'tx-b', 'tx-c'], payment), vout: payment > 4 ? 1 : 0, at };
  const paid = {
    ...about,
    amount: pick(['2', '1', '0.000000001', '2.000000001', '14', '1', '0'], amount),
    fundingAddresses: pick([[], ['a'], ['b'], ['a', 'c']], payment + amount),
    replaceable: amount === 1 && flag,
    currentRate: pick(rates, amount),
  };
  return [
    seen(paid),
    seen({ ...paid, amount: '2' }),
    confirmed(about),
    confirmed(about),
    dropped(about),
    doubleSpent(about),
    reorged(about),
    expired({ at }),
    guards(flag),
    kyt(pick(['passed', 'passed', 'review', 'failed'], amount), { at, unknownSendersOf: flag ? about.txid : null }),
    kyt('passed', { at }),
    ofac(pick(['clear', 'clear', 'clear', 'hit'], amount), { at }),
    ofac('clear', { at }),
    deadlineMissed({ at }),
    refundBroadcast({ refundTxid: pick(['r-1', 'r-2'], payment) }),
    refundDropped({ refundTxid: pick(['r-1', 'r-2'], payment) }),
    settled(pick(['batch-1', 'batch-2'], payment)),
  ];
};

const commandsOf = ({ amount, flag }: Dice, now: string): readonly [DepositCommand, ...DepositCommand[]] => [
  accept({ now, adjustToReceived: flag, currentRate: pick(rates, amount) }),
  accept({ now, adjustToReceived: true, currentRate: money('50') }),
  giveBack({ now, returnAddress: amount === 0 ? null : 'home' }),
  freeze(),
  review(flag ? 'passed' : 'failed'),
  release(),
  releaseSettlement(),
  issue(),
  { type: 'AssignAddress', now, address: 'ltc1' },
];

/** Whatever can happen to a deposit; signal ids repeat, with the same content and with another. */
export const commandOf = (dice: Dice): DepositCommand => {
  const at = minute(dice.minutes);
  const signals = signalsOf(dice, at);
  if (dice.what >= signals.length) return pick(commandsOf(dice, at), dice.what - signals.length);
  return { ...pick(signals, dice.what), signalId: `s-${dice.signalId}` };
};

export const kindsOfCommand = 17 + 9;

export const openings = [
  issue(),
  issue({ noConf: true }),
  issue({ instant: true }),
  issue({ instant: true, test: true, amount: money('400') }),
] as const;
