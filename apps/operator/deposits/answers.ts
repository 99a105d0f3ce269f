import type { ReleaseOutcome, ReleaseSettlementOutcome, ReviewOutcome } from '#deposit-commands';
import type { Applied, Refused, ReviewRefusal } from '#deposits';
import { answersTo, appliedOr, unapplied } from '#door/answers';
import { authenticationErrors, firstNamed, shown } from '#door/errors';

type RefusalOf<Outcome> = Outcome extends Refused<infer Refusal> ? Refusal : never;

type StandsOtherwise = Extract<ReviewRefusal, { refusal: 'kyt_stands_otherwise' }>;

export const notReviewable = ({ kytStatus }: Pick<ReviewRefusal, 'kytStatus'>) =>
  shown(409, `Cannot review: kyt_status is '${kytStatus ?? 'unset'}'; a review can pass or fail, a failure can pass`, {
    code: 'kyt_not_reviewable',
  });

export const standsOtherwise = ({ kytStatus, named }: Pick<StandsOtherwise, 'kytStatus' | 'named'>) =>
  shown(409, `Cannot review: kyt_status is '${kytStatus ?? 'unset'}' now, and '${named}' is what was looked at`, {
    code: 'kyt_stands_otherwise',
  });

const cameUpSince = ({ kytStatus }: Pick<ReviewRefusal, 'kytStatus'>) =>
  shown(
    409,
    `Cannot review: kyt_status is '${kytStatus ?? 'unset'}', and an answer or a payment came since it was looked at`,
    { code: 'kyt_stands_otherwise' },
  );

export const noSuchRevision = (last: number) =>
  shown(404, `The history of this deposit ends with revision ${last}`, { code: 'revision_not_found' });

export const historyDamaged = (problem: string) =>
  shown(409, `The history of this deposit is damaged, its events show what there is of it: ${problem}`, {
    code: 'history_damaged',
  });

export const notHeld = () =>
  shown(409, 'Cannot release: screening holds no return of this deposit', { code: 'return_not_held' });

const reviewRefused = answersTo<ReviewRefusal>({
  kyt_not_reviewable: notReviewable,
  kyt_stands_otherwise: standsOtherwise,
  kyt_came_up_since: cameUpSince,
});

export const reviewed = appliedOr<ReviewOutcome>({ ...unapplied, refused: ({ refusal }) => reviewRefused(refusal) });

export const notWithheld = () =>
  shown(409, 'Cannot release: nothing withholds the settlement of this deposit', { code: 'settlement_not_withheld' });

export const heldForMore = ({ unnamed }: { readonly unnamed: readonly string[] }) =>
  shown(409, `Cannot release: more holds the return now than was named: ${firstNamed(unnamed)}`, {
    code: 'return_held_for_more',
  });

export const withheldForMore = ({ unnamed }: { readonly unnamed: readonly string[] }) =>
  shown(409, `Cannot release: more withholds the settlement now than was named: ${firstNamed(unnamed)}`, {
    code: 'settlement_withheld_for_more',
  });

const heldAgain = ({ again }: { readonly again: readonly string[] }) =>
  shown(409, `Cannot release: this has come up since what holds the return was looked at: ${firstNamed(again)}`, {
    code: 'return_held_for_more',
  });

const withheldAgain = ({ again }: { readonly again: readonly string[] }) =>
  shown(409, `Cannot release: this has come up since what withholds it was looked at: ${firstNamed(again)}`, {
    code: 'settlement_withheld_for_more',
  });

const settledSince = ({ batchId }: { readonly batchId: string }) =>
  shown(409, `Cannot release: it was settled since it was looked at, in batch ${batchId}`, {
    code: 'settlement_withheld_for_more',
  });

const releaseRefused = answersTo<RefusalOf<ReleaseOutcome>>({
  held_by_hit: authenticationErrors.insufficientPermissions,
  return_not_held: notHeld,
  return_held_for_more: heldForMore,
  return_held_again: heldAgain,
});

export const released = appliedOr<ReleaseOutcome>({ ...unapplied, refused: ({ refusal }) => releaseRefused(refusal) });

const settlementRefused = answersTo<RefusalOf<ReleaseSettlementOutcome>>({
  settlement_not_withheld: notWithheld,
  settlement_withheld_for_more: withheldForMore,
  settlement_withheld_again: withheldAgain,
  settled_since: settledSince,
});

export const settlementReleased = appliedOr<ReleaseSettlementOutcome>({
  ...unapplied,
  refused: ({ refusal }) => settlementRefused(refusal),
});

type Would<Refusal> = Applied | Refused<Refusal>;

/** Throws what an act would be refused with at a deposit as it stands. */
export const refuseReview = (would: Would<ReviewRefusal>): void => {
  if (would.outcome === 'refused') throw reviewRefused(would.refusal);
};

export const refuseRelease = (would: Would<RefusalOf<ReleaseOutcome>>): void => {
  if (would.outcome === 'refused') throw releaseRefused(would.refusal);
};

export const refuseSettlement = (would: Would<RefusalOf<ReleaseSettlementOutcome>>): void => {
  if (would.outcome === 'refused') throw settlementRefused(would.refusal);
};
