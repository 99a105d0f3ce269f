import {
  type Deposit,
  decideAccept,
  decideFreeze,
  decideRelease,
  decideReturn,
  decideReview,
  type ReviewResult,
} from '#deposits';
import { acceptErrors, freezeErrors, returnErrors, ShownError } from '#platform/errors';
import type { Decided } from '../decided.ts';
import type { Desk } from '../desk.ts';
import { execute } from './execute.ts';
import { shownAccept, shownFreeze, shownRelease, shownReturn, shownReview } from './refusals.ts';

/** Which account, and which of its casinos, a deposit has to belong to. */
export type Scope = { readonly affiliateId: number; readonly entityId: number | null };

type PartnerDecision = { readonly depositId: number; readonly scope: Scope; readonly actor: string };
export type AcceptRequest = PartnerDecision & { readonly adjustToReceived: boolean };
export type ReturnRequest = PartnerDecision & { readonly returnAddress: string | null; readonly reason: string | null };
export type FreezeRequest = PartnerDecision;
export type ReviewRequest = {
  readonly depositId: number;
  readonly result: ReviewResult;
  readonly note: string | null;
  readonly actor: string;
};
export type ReleaseRequest = { readonly depositId: number; readonly actor: string };

const visibleTo =
  ({ affiliateId, entityId }: Scope) =>
  ({ terms }: Deposit): boolean =>
    terms.affiliateId === affiliateId && (entityId === null || terms.entityId === entityId);

/** What the interface names a failure of ours: nothing is known to be recorded, and the caller reads the deposit. */
const orFailed = async (desk: Desk, decided: Promise<Decided>, failed: () => ShownError): Promise<Decided> => {
  try {
    return await decided;
  } catch (error) {
    if (error instanceof ShownError) throw error;
    desk.logger.error({ err: error }, 'a decision could not be recorded');
    throw failed();
  }
};

export const accept = (desk: Desk, { adjustToReceived, scope, ...about }: AcceptRequest): Promise<Decided> => {
  const decided = execute({
    ...about,
    log: desk.log,
    isVisible: visibleTo(scope),
    decide: async (deposit) =>
      decideAccept(deposit, {
        type: 'AcceptDeposit',
        now: desk.now(),
        adjustToReceived,
        currentRate: await desk.rateWhenLate(deposit),
      }),
    refuse: (refusal, lostTheRace) => (lostTheRace ? acceptErrors.lostTheRace() : shownAccept(refusal)),
  });
  return orFailed(desk, decided, acceptErrors.failed);
};

export const returnDeposit = (desk: Desk, request: ReturnRequest): Promise<Decided> => {
  const { returnAddress, reason, scope, ...about } = request;
  const decided = execute({
    ...about,
    log: desk.log,
    isVisible: visibleTo(scope),
    decide: async (deposit) => {
      const command = { type: 'ReturnDeposit', now: desk.now(), returnAddress, reason } as const;
      const gates = decideReturn(deposit, { ...command, returnId: 0 });
      // A refusal uses up no id.
      return gates.outcome === 'refused'
        ? gates
        : decideReturn(deposit, { ...command, returnId: await desk.ids.nextReturn() });
    },
    refuse: (refusal, lostTheRace) => (lostTheRace ? returnErrors.lostTheRace() : shownReturn(refusal)),
  });
  return orFailed(desk, decided, returnErrors.failed);
};

export const freeze = (desk: Desk, { scope, ...about }: FreezeRequest): Promise<Decided> =>
  execute({
    ...about,
    log: desk.log,
    isVisible: visibleTo(scope),
    decide: async (deposit) => decideFreeze(deposit, { type: 'FreezeDeposit', now: desk.now() }),
    refuse: (refusal, lostTheRace) => (lostTheRace ? freezeErrors.lostTheRace() : shownFreeze(refusal)),
  });

export const reviewKyt = (desk: Desk, { result, note, ...about }: ReviewRequest): Promise<Decided> =>
  execute({
    ...about,
    log: desk.log,
    decide: async (deposit) => decideReview(deposit, { type: 'ReviewKyt', now: desk.now(), result, note }),
    refuse: shownReview,
  });

export const releaseReturn = (desk: Desk, about: ReleaseRequest): Promise<Decided> =>
  execute({
    ...about,
    log: desk.log,
    decide: async (deposit) => decideRelease(deposit, { type: 'ReleaseReturn', now: desk.now() }),
    refuse: shownRelease,
  });
