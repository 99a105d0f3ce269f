import {
  type Deposit,
  decideRelease,
  decideReleaseSettlement,
  decideReview,
  type Refused,
  type ReleaseRefusal,
  type ReleaseReturn,
  type ReleaseSettlement,
  type ReviewKyt,
  type ReviewRefusal,
  refused,
  type SettlementRefusal,
} from '#deposits';
import type { Desk } from '../desk.ts';
import type { Busy, Decided, NotFound } from '../outcome.ts';
import { execute } from './execute.ts';

export type ReviewRequest = Pick<ReviewKyt, 'result' | 'note' | 'named'> & {
  readonly depositId: number;
  readonly actor: string;
};
export type ReleaseRequest = Pick<ReleaseReturn, 'named'> & {
  readonly depositId: number;
  readonly actor: string;
  /** Whether this operator may let money go that sanctions hold. */
  readonly afterHit: boolean;
};
export type ReleaseSettlementRequest = Pick<ReviewRequest, 'depositId' | 'note' | 'actor'> &
  Pick<ReleaseSettlement, 'named'>;

export type ReviewOutcome = Decided | Refused<ReviewRefusal> | NotFound | Busy;
export type ReleaseOutcome = Decided | Refused<ReleaseRefusal | NotAfterHit> | NotFound | Busy;
export type ReleaseSettlementOutcome = Decided | Refused<SettlementRefusal> | NotFound | Busy;

type NotAfterHit = { readonly refusal: 'held_by_hit' };

export const reviewKyt = (desk: Desk, { result, note, named, ...about }: ReviewRequest): Promise<ReviewOutcome> =>
  execute({
    ...about,
    log: desk.log,
    decide: async (deposit) => decideReview(deposit, { type: 'ReviewKyt', now: desk.now(), result, note, named }),
  });

const heldByHit = ({ standing }: Deposit): boolean =>
  standing.returnHeldBecause !== null && (standing.returnHeldBecause === 'ofac_hit' || standing.ofacStatus === 'hit');

export const releaseReturn = (desk: Desk, { afterHit, named, ...about }: ReleaseRequest): Promise<ReleaseOutcome> =>
  execute<Refused<ReleaseRefusal | NotAfterHit>>({
    ...about,
    log: desk.log,
    decide: async (deposit) =>
      heldByHit(deposit) && !afterHit
        ? refused({ refusal: 'held_by_hit' })
        : decideRelease(deposit, { type: 'ReleaseReturn', now: desk.now(), named }),
  });

export const releaseSettlement = (
  desk: Desk,
  { note, named, ...about }: ReleaseSettlementRequest,
): Promise<ReleaseSettlementOutcome> =>
  execute({
    ...about,
    log: desk.log,
    decide: async (deposit) =>
      decideReleaseSettlement(deposit, { type: 'ReleaseSettlement', now: desk.now(), note, named }),
  });
