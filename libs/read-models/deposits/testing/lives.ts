import fc from 'fast-check';
import { depositStream, setAsideStream } from '#deposit-commands';
import {
  type DepositCommand,
  type DepositEvent,
  type DepositState,
  decide,
  type FeeSetting,
  initialState,
  type Outcome,
  type SignalSetAside,
} from '#deposits';
import {
  commandOf,
  confirmed,
  eventsOf,
  fold,
  kindsOfCommand,
  kyt,
  minute,
  money,
  ofac,
  openings,
  seen,
} from '#deposits/testing';
import type { NewEvent } from '#event-log';
import { currencies } from '#money';

/** What is written, and where. */
export type Written = { readonly stream: string; readonly type: string; readonly data: NewEvent['data'] };

/** A deposit that lived, and what its events were, in order. */
export type Life = { readonly id: number; readonly state: DepositState; readonly written: readonly Written[] };

const fees: readonly FeeSetting[] = [
  { beneficiary: 'BF', kind: 'SPREAD', paidBy: 'PLAYER', percent: '0.0123' },
  { beneficiary: 'ENTITY', kind: 'SPREAD', paidBy: 'PLAYER', percent: '0.01' },
  { beneficiary: 'AFFILIATE', kind: 'FEE', paidBy: 'PLAYER', percent: '0.017' },
  { beneficiary: 'BF', kind: 'FEE', paidBy: 'ENTITY', percent: '0.003' },
];

const dice = fc.record({
  what: fc.nat(kindsOfCommand - 1),
  payment: fc.nat(6),
  amount: fc.nat(6),
  minutes: fc.constantFrom(1, 2, 10, 29, 30, 31, 40),
  flag: fc.boolean(),
  signalId: fc.nat(400),
});

/** Without these hardly any life would come to a decision. */
const beginnings: readonly (readonly DepositCommand[])[] = [
  [],
  [seen({ amount: '2' }), kyt('passed'), ofac('clear'), confirmed()],
  [seen({ amount: '1.23456789' }), kyt('passed'), ofac('clear'), confirmed()],
  [seen({ amount: '2.5', at: minute(40) }), kyt('passed'), ofac('clear'), confirmed()],
];

const throws = fc.array(dice, { minLength: 0, maxLength: 40 });

const opening = fc.record({
  like: fc.constantFrom(...openings),
  entityId: fc.constantFrom(3, 4),
  currency: fc.constantFrom(...currencies),
  marketRate: fc.constantFrom(money('50'), money('51.000000000000000000000000000000000000007')),
  fees: fc.constantFrom([], fees),
});

/** What is set aside lies beside the history, as it does in the log. */
const writtenOf = (id: number, outcome: Outcome): readonly Written[] => {
  const asText = (stream: string, event: DepositEvent | SignalSetAside): Written => ({
    stream,
    ...JSON.parse(JSON.stringify(event)),
  });
  return 'setAside' in outcome
    ? [asText(setAsideStream(id), outcome.setAside)]
    : eventsOf(outcome).map((event) => asText(depositStream(id), event));
};

const live = (id: number, commands: readonly DepositCommand[]): Life => {
  let state: DepositState = initialState;
  const written: Written[] = [];
  for (const command of commands) {
    const outcome = decide(state, command);
    state = fold(eventsOf(outcome), state);
    written.push(...writtenOf(id, outcome));
  }
  return { id, state, written };
};

const lifeOf = (id: number): fc.Arbitrary<Life> =>
  fc
    .tuple(opening, fc.constantFrom(...beginnings), throws)
    .map(([{ like, ...terms }, beginning, thrown]) =>
      live(id, [
        { ...like, ...terms, depositId: id, transactionId: id + 1000, machineId: id % 2 ? 'm-1' : null },
        ...beginning,
        ...thrown.map(commandOf),
      ]),
    );

/** A few deposits of two casinos, each with whatever can happen to it. */
export const lives = (most: number, least = 1): fc.Arbitrary<readonly Life[]> =>
  fc
    .integer({ min: least, max: most })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => lifeOf(n + 1))));

/** One deposit's events after the other's in turns, as a log has them. */
export const interleaved = (all: readonly Life[]): readonly Written[] => {
  const longest = Math.max(...all.map(({ written }) => written.length));
  return Array.from({ length: longest }, (_, nth) => all.flatMap(({ written }) => written.slice(nth, nth + 1))).flat();
};
