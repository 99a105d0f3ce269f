import {
  type AcceptRefusal,
  type CommandOutcome,
  type Deposit,
  decideAccept,
  decideFreeze,
  decideReturn,
  type FreezeRefusal,
  type Refused,
  type ReturnRefusal,
} from '#deposits';
import type { Scope } from '#partners';
import type { Desk } from '../desk.ts';
import { orNothingRecorded } from '../not-begun.ts';
import type { Busy, Decided, NotFound } from '../outcome.ts';
import { execute } from './execute.ts';

type PartnerDecision = { readonly depositId: number; readonly scope: Scope; readonly actor: string };
export type AcceptRequest = PartnerDecision & { readonly adjustToReceived: boolean };
export type ReturnRequest = PartnerDecision & { readonly returnAddress: string | null; readonly reason: string | null };
export type FreezeRequest = PartnerDecision;

/** The decision was pending when the call came in, and another made it first. */
export type LostRace = { readonly outcome: 'lost_race' };

export type DecisionOutcome<Refusal> = Decided | Refused<Refusal> | LostRace | NotFound | Busy;
export type AcceptOutcome = DecisionOutcome<AcceptRefusal>;
export type ReturnOutcome = DecisionOutcome<ReturnRefusal>;
export type FreezeOutcome = DecisionOutcome<FreezeRefusal>;

type DecideOnce<Refusal> = (deposit: Deposit) => Promise<CommandOutcome<Refusal>>;

const decideOnce = <Refusal>(
  desk: Desk,
  { depositId, scope, actor }: PartnerDecision,
  decide: DecideOnce<Refusal>,
): Promise<DecisionOutcome<Refusal>> => {
  let cameInPending: boolean | undefined;
  return execute<Refused<Refusal> | LostRace>({
    ...{ log: desk.logOf(scope.affiliateId), depositId, scope, actor },
    decide: async (deposit) => {
      const pending = deposit.standing.decision === 'pending';
      cameInPending ??= pending;
      const decided = await decide(deposit);
      return decided.outcome === 'refused' && cameInPending && !pending ? { outcome: 'lost_race' } : decided;
    },
  });
};

export const accept = (desk: Desk, { adjustToReceived, ...about }: AcceptRequest): Promise<AcceptOutcome> =>
  decideOnce(desk, about, async (deposit) =>
    decideAccept(deposit, {
      type: 'AcceptDeposit',
      now: desk.now(),
      adjustToReceived,
      currentRate: await orNothingRecorded(() => desk.rateWhenLate(deposit)),
    }),
  );

export const returnDeposit = (desk: Desk, { returnAddress, reason, ...about }: ReturnRequest): Promise<ReturnOutcome> =>
  decideOnce(desk, about, async (deposit) => {
    const command = { type: 'ReturnDeposit', now: desk.now(), returnAddress, reason } as const;
    const gates = decideReturn(deposit, { ...command, returnId: 0 });
    // A refusal uses up no id.
    return gates.outcome === 'refused'
      ? gates
      : decideReturn(deposit, { ...command, returnId: await orNothingRecorded(desk.ids.nextReturn) });
  });

export const freeze = (desk: Desk, about: FreezeRequest): Promise<FreezeOutcome> =>
  decideOnce(desk, about, async (deposit) => decideFreeze(deposit, { type: 'FreezeDeposit', now: desk.now() }));
