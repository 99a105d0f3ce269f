import {
  type DepositEvent,
  decideAssign,
  evolve,
  initialState,
  type QuoteIssued,
  type Refused,
  refused,
} from '#deposits';
import { depositAfter } from '../load.ts';
import { orBegun, orNotBegun } from '../not-begun.ts';
import type { Decided } from '../outcome.ts';
import { depositStream } from '../streams.ts';
import { appendUnlessLost, newEvents } from '../write.ts';
import { assignAddress } from './address.ts';
import type { IssueDesk } from './issue-desk.ts';
import { readOpening } from './opening.ts';
import type { NoAddress } from './outcome.ts';
import { mustBeOwn } from './own.ts';
import type { CreateRequest } from './request.ts';

/** With its address in the same append, where the pool has one. */
const openingEvents = (opening: QuoteIssued, address: string | undefined): readonly DepositEvent[] => {
  const state = evolve(initialState, opening);
  if (address === undefined || state.stage === 'none') return [opening];
  const assigned = decideAssign(state, { type: 'AssignAddress', now: opening.data.terms.issuedAt, address });
  return assigned.outcome === 'applied' ? [opening, ...assigned.events] : [opening];
};

const mustRead = async ({ log }: IssueDesk, depositId: number): Promise<Decided> => {
  const opening = await readOpening(log, depositId);
  if (!opening) throw new Error(`deposit ${depositId} was written and cannot be read`);
  return opening;
};

type Maker = Pick<CreateRequest, 'actor' | 'key'>;

/** As it is recorded, by this call or before it: by a look at the fast lane, or by another call of the same key. */
const recorded = async (desk: IssueDesk, opening: QuoteIssued, request: Maker): Promise<Decided> => {
  const { currency, depositId } = opening.data.terms;
  const events = openingEvents(opening, await orNotBegun(() => desk.takeAddress(currency, depositId)));
  const append = desk.log.append(depositStream(depositId), 'no_stream', newEvents(events, request.actor));
  const appended = await appendUnlessLost(append);
  if (appended) return { outcome: 'applied', deposit: depositAfter(initialState, events), position: appended.position };
  const found = await mustRead(desk, depositId);
  mustBeOwn(desk, found.deposit, opening, request);
  return found;
};

/** Whoever issued it may have had another clock. */
const leftOfTheWait = ({ addressWaitMs, now }: IssueDesk, { deposit }: Decided): number =>
  Math.min(addressWaitMs, Math.max(0, addressWaitMs - (Date.parse(now()) - Date.parse(deposit.terms.issuedAt))));

/** The deposit with its address: it exists already, and may have to wait for one, in vain perhaps. */
export const withAddress = async (
  desk: IssueDesk,
  opening: Decided,
  actor: string,
): Promise<Decided | Refused<NoAddress>> => {
  const { deposit } = opening;
  if (deposit.address !== null) return opening;
  const { currency, depositId } = deposit.terms;
  const address = await desk.takeAddressWithin(currency, depositId, leftOfTheWait(desk, opening));
  if (address !== undefined) {
    const assigned = await assignAddress(desk, { depositId, address, actor });
    if (assigned.outcome === 'applied') return { ...assigned, deposit: { ...deposit, address } };
  }
  // Another was quicker, or nobody can give it one any more.
  const now = await mustRead(desk, depositId);
  return now.deposit.address === null ? refused({ refusal: 'no_address' }) : now;
};

/** Records the deposit, then sees to its address. */
export const writeDeposit = async (
  desk: IssueDesk,
  opening: QuoteIssued,
  request: Maker,
): Promise<Decided | Refused<NoAddress>> => {
  const made = await recorded(desk, opening, request);
  return orBegun(() => withAddress(desk, made, request.actor));
};
