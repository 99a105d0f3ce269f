import {
  type Applied,
  type Deposit,
  decideRelease,
  decideReleaseSettlement,
  decideReview,
  type Instant,
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

type Of = { readonly depositId: number; readonly actor: string };

export type ReviewRequest = Of & Pick<ReviewKyt, 'result' | 'note' | 'named' | 'seen'>;
export type ReleaseRequest = Of &
  Pick<ReleaseReturn, 'named' | 'seen'> & {
    /** Whether this operator may let money go that sanctions hold. */
    readonly afterHit: boolean;
  };
export type ReleaseSettlementRequest = Of & Pick<ReleaseSettlement, 'named' | 'note' | 'seen'>;

export type ReviewOutcome = Decided | Refused<ReviewRefusal> | NotFound | Busy;
export type ReleaseOutcome = Decided | Refused<ReleaseRefusal | NotAfterHit> | NotFound | Busy;
export type ReleaseSettlementOutcome = Decided | Refused<SettlementRefusal> | NotFound | Busy;

type NotAfterHit = { readonly refusal: 'held_by_hit' };

const heldByHit = ({ standing }: Deposit): boolean =>
  standing.returnHeldBecause !== null && (standing.returnHeldBecause === 'ofac_hit' || standing.ofacStatus === 'hit');

/** What each would come to at a deposit as it stands, for whoever looks before anything is asked for. */
export const wouldReview = (deposit: Deposit, { result, note, named, seen }: ReviewRequest, now: Instant) =>
  decideReview(deposit, { type: 'ReviewKyt', now, result, note, named, seen });

export const wouldRelease = (
  deposit: Deposit,
  { afterHit, named, seen }: ReleaseRequest,
  now: Instant,
): Applied | Refused<ReleaseRefusal | NotAfterHit> =>
  heldByHit(deposit) && !afterHit
    ? refused({ refusal: 'held_by_hit' })
    : decideRelease(deposit, { type: 'ReleaseReturn', now, named, seen });

export const wouldReleaseSettlement = (
  deposit: Deposit,
  { note, named, seen }: ReleaseSettlementRequest,
  now: Instant,
) => decideReleaseSettlement(deposit, { type: 'ReleaseSettlement', now, note, named, seen });

export const reviewKyt = ({ log, now }: Desk, request: ReviewRequest): Promise<ReviewOutcome> =>
  execute({ ...request, log, decide: async (deposit) => wouldReview(deposit, request, now()) });

export const releaseReturn = ({ log, now }: Desk, request: ReleaseRequest): Promise<ReleaseOutcome> =>
  execute<Refused<ReleaseRefusal | NotAfterHit>>({
    ...{ ...request, log },
    decide: async (deposit) => wouldRelease(deposit, request, now()),
  });

export const releaseSettlement = (
  { log, now }: Desk,
  request: ReleaseSettlementRequest,
): Promise<ReleaseSettlementOutcome> =>
  execute({ ...request, log, decide: async (deposit) => wouldReleaseSettlement(deposit, request, now()) });
