import { decide, type Outcome } from '../decide.ts';
import { evolve } from '../evolve.ts';
import type { DepositCommand } from '../floor/commands.ts';
import type { DepositEvent } from '../floor/events.ts';
import { type Deposit, type DepositState, initialState } from '../floor/state.ts';
import { depositView } from '../view.ts';
import { mustMatch } from './matches.ts';

type Step = DepositEvent | DepositCommand;
type Expected = Readonly<Record<string, unknown>>;

export const fold = (events: readonly DepositEvent[], state: DepositState = initialState): DepositState =>
  events.reduce(evolve, state);

/** What becomes part of the deposit's history. */
export const eventsOf = (outcome: Outcome): readonly DepositEvent[] =>
  outcome.outcome === 'applied' ? outcome.events : [];

/** The events of a past in which every command was applied. */
export const history = (...steps: readonly Step[]): readonly DepositEvent[] => {
  const events: DepositEvent[] = [];
  let state = initialState;
  for (const step of steps) {
    const outcome: Outcome = 'data' in step ? { outcome: 'applied', events: [step] } : decide(state, step);
    if (outcome.outcome !== 'applied') throw new Error(`given ${step.type}: ${JSON.stringify(outcome)}`);
    events.push(...outcome.events);
    state = fold(outcome.events, state);
  }
  return events;
};

const issuedDeposit = (state: DepositState): Deposit => {
  if (state.stage === 'none') throw new Error('no quote was issued');
  return state;
};

const mustBe = (outcome: Outcome, word: Outcome['outcome'], fields: Expected = {}): void =>
  mustMatch('the outcome', outcome, { outcome: word, ...fields });

/** `given(issue(), seen()).when(confirmed()).thenShows({ status: 'Confirmed' })`: a past, a command, what comes of it. */
export const given = (...past: readonly Step[]) => {
  const before = fold(history(...past));
  return {
    when: (command: DepositCommand) => {
      const outcome = decide(before, command);
      const after = fold(eventsOf(outcome), before);
      const shows = (view: Expected): void =>
        mustMatch('the Deposit object', { late_payment: undefined, ...depositView(issuedDeposit(after), null) }, view);
      return {
        outcome,
        after: () => issuedDeposit(after),
        /** Applied, and the Deposit object shows this afterwards. */
        thenShows: (view: Expected): void => {
          mustBe(outcome, 'applied');
          shows(view);
        },
        thenEvents: (...expected: readonly Expected[]): void => mustMatch('the events', eventsOf(outcome), expected),
        thenRefused: (refusal: string, fields: Expected = {}): void =>
          mustBe(outcome, 'refused', { refusal: { refusal, ...fields } }),
        thenIgnored: (): void => mustBe(outcome, 'ignored'),
        thenRejected: (): void => mustBe(outcome, 'rejected'),
        thenDuplicate: (): void => mustBe(outcome, 'duplicate'),
      };
    },
  };
};
