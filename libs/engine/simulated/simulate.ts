import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { loadDeposit, type NotFound, notFound } from '#deposit-commands';
import { type Refused, refused } from '#deposits';
import type { EventLog } from '#event-log';
import { type ScenarioName, scenarioNamed, type Wishes } from './scenarios.ts';
import type { Step } from './step.ts';
import { addSteps, type PlannedStep } from './steps.ts';

export type SimulateParts = {
  readonly pool: pg.Pool;
  readonly log: Pick<EventLog, 'read'>;
  readonly now?: () => Date;
  /** Between two steps, so that a person sees the states go by. Default 1 s. */
  readonly stepMs?: number;
};

export type Simulation = Wishes & {
  readonly depositId: number;
  readonly scenario: ScenarioName;
  readonly actor: string;
};

type CannotPlay = { readonly refusal: 'cannot_play'; readonly why: string };

export type Simulated =
  | { readonly outcome: 'applied'; readonly steps: readonly PlannedStep[] }
  | Refused<CannotPlay>
  | NotFound;

/** Plans a scenario for a deposit, durably, and says what will be played and when. */
export type Simulate = (simulation: Simulation) => Promise<Simulated>;

const plan = (steps: readonly Step[], from: Date, stepMs: number): readonly PlannedStep[] => {
  const run = randomUUID();
  return steps.map(({ fact, at }, nth) => {
    const dueAt = new Date(from.getTime() + nth * stepMs);
    return { dueAt, signal: { ...fact, signalId: `simulated-${run}-${nth + 1}`, at: at ?? dueAt.toISOString() } };
  });
};

export const createSimulate =
  ({ pool, log, now = () => new Date(), stepMs = 1_000 }: SimulateParts): Simulate =>
  async ({ depositId, scenario, actor, ...wishes }) => {
    const { state } = await loadDeposit(log, depositId);
    if (state.stage === 'none') return notFound;
    const { play, refuses } = scenarioNamed(scenario);
    const why = refuses?.(state);
    if (why !== undefined) return refused({ refusal: 'cannot_play', why });
    const steps = plan(play(state, wishes), now(), stepMs);
    await addSteps(pool, depositId, steps, actor);
    return { outcome: 'applied', steps };
  };
