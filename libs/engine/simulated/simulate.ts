import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { loadDeposit, type NotFound, notFound } from '#deposit-commands';
import { type Refused, refused } from '#deposits';
import type { EventLog } from '#event-log';
import { loadTransaction } from '#legacy-commands';
import type { Subject } from '../signals/target.ts';
import { type ScenarioName, scenarioNamed, type Wishes } from './scenarios.ts';
import type { Step } from './step.ts';
import { addSteps, type PlannedStep } from './steps.ts';
import { playTransaction } from './transaction-scenarios.ts';

export type SimulateParts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'read'>;
  readonly now?: () => Date;
  /** Between two steps, so that a person sees the states go by. Default 1 s. */
  readonly stepMs?: number;
};

export type Simulation = Wishes & {
  readonly subject: Subject;
  readonly scenario: ScenarioName;
  readonly actor: string;
};

type Asked = Omit<Simulation, 'subject' | 'actor'>;

type Log = SimulateParts['log'];

type CannotPlay = { readonly refusal: 'cannot_play'; readonly why: string };

export type Simulated =
  | { readonly outcome: 'applied'; readonly steps: readonly PlannedStep[] }
  | Refused<CannotPlay>
  | NotFound;

/** Plans a scenario for a deposit or a transaction of the older interface, durably, and says what will be played and when. */
export type Simulate = (simulation: Simulation) => Promise<Simulated>;

const plan = (steps: readonly Step[], from: Date, stepMs: number): readonly PlannedStep[] => {
  const run = randomUUID();
  return steps.map(({ fact, at }, nth) => {
    const dueAt = new Date(from.getTime() + nth * stepMs);
    return { dueAt, signal: { ...fact, signalId: `simulated-${run}-${nth + 1}`, at: at ?? dueAt.toISOString() } };
  });
};

type Played = { readonly outcome: 'applied'; readonly steps: readonly Step[] } | Refused<CannotPlay> | NotFound;

const cannotPlay = (why: string): Refused<CannotPlay> => refused({ refusal: 'cannot_play', why });

const ofDeposit = async (log: Log, depositId: number, { scenario, ...wishes }: Asked): Promise<Played> => {
  const { state } = await loadDeposit(log, depositId);
  if (state.stage === 'none') return notFound;
  const { play, refuses } = scenarioNamed(scenario);
  const why = refuses?.(state);
  return why === undefined ? { outcome: 'applied', steps: play(state, wishes) } : cannotPlay(why);
};

const ofTransaction = async (log: Log, transactionId: number, { scenario, ...wishes }: Asked): Promise<Played> => {
  const { state } = await loadTransaction(log, transactionId);
  if (state.stage === 'none') return notFound;
  const played = playTransaction(scenario, state, wishes);
  return typeof played === 'string' ? cannotPlay(played) : { outcome: 'applied', steps: played };
};

export const createSimulate =
  ({ pool, log, now = () => new Date(), stepMs = 1_000 }: SimulateParts): Simulate =>
  async ({ subject, actor, ...asked }) => {
    const played = await ('depositId' in subject
      ? ofDeposit(log, subject.depositId, asked)
      : ofTransaction(log, subject.transactionId, asked));
    if (played.outcome !== 'applied') return played;
    const steps = plan(played.steps, now(), stepMs);
    await addSteps(pool, subject, steps, actor);
    return { outcome: 'applied', steps };
  };
