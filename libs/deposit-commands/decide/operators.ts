import {
  decideRelease,
  decideReview,
  type Refused,
  type ReleaseRefusal,
  type ReviewRefusal,
  type ReviewResult,
} from '#deposits';
import type { Desk } from '../desk.ts';
import type { Busy, Decided, NotFound } from '../outcome.ts';
import { execute } from './execute.ts';

export type ReviewRequest = {
  readonly depositId: number;
  readonly result: ReviewResult;
  readonly note: string | null;
  readonly actor: string;
};
export type ReleaseRequest = { readonly depositId: number; readonly actor: string };

export type ReviewOutcome = Decided | Refused<ReviewRefusal> | NotFound | Busy;
export type ReleaseOutcome = Decided | Refused<ReleaseRefusal> | NotFound | Busy;

export const reviewKyt = (desk: Desk, { result, note, ...about }: ReviewRequest): Promise<ReviewOutcome> =>
  execute({
    ...about,
    log: desk.log,
    decide: async (deposit) => decideReview(deposit, { type: 'ReviewKyt', now: desk.now(), result, note }),
  });

export const releaseReturn = (desk: Desk, about: ReleaseRequest): Promise<ReleaseOutcome> =>
  execute({
    ...about,
    log: desk.log,
    decide: async (deposit) => decideRelease(deposit, { type: 'ReleaseReturn', now: desk.now() }),
  });
