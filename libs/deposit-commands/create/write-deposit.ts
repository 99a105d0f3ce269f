import { type DepositEvent, decideAssign, evolve, initialState, type QuoteIssued } from '#deposits';
import { WrongExpectedRevision } from '#event-log';
import { createDepositErrors } from '#platform/errors';
import { depositStream } from '../streams.ts';
import { newEvents } from '../write.ts';
import { assignAddress } from './address.ts';
import type { IssueDesk } from './issue-desk.ts';
import { type Opening, readOpening } from './opening.ts';

/** With its address in the same append, where the pool has one. */
const openingEvents = (opening: QuoteIssued, address: string | undefined): readonly DepositEvent[] => {
  const state = evolve(initialState, opening);
  if (address === undefined || state.stage === 'none') return [opening];
  const assigned = decideAssign(state, { type: 'AssignAddress', now: opening.data.terms.issuedAt, address });
  return assigned.outcome === 'applied' ? [opening, ...assigned.events] : [opening];
};

/** False when somebody wrote it before: a look at the fast lane that completed it, or another call of the same key. */
const writeOpening = async (desk: IssueDesk, opening: QuoteIssued, actor: string): Promise<boolean> => {
  const { currency, depositId } = opening.data.terms;
  const address = await desk.takeAddress(currency, depositId);
  try {
    await desk.log.append(depositStream(depositId), 'no_stream', newEvents(openingEvents(opening, address), actor));
    return true;
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return false;
    throw error;
  }
};

const leftOfTheWait = ({ addressWaitMs, now }: IssueDesk, { deposit }: Opening): number =>
  Math.max(0, addressWaitMs - (Date.parse(now()) - Date.parse(deposit.terms.issuedAt)));

const mustRead = async (desk: IssueDesk, depositId: number): Promise<Opening> => {
  const opening = await readOpening(desk.log, depositId);
  if (!opening) throw new Error(`deposit ${depositId} was written and cannot be read`);
  return opening;
};

/** The deposit with its address: it exists already, and may have to wait for one, or end in the 500 of the interface. */
export const withAddress = async (desk: IssueDesk, opening: Opening, actor: string): Promise<Opening> => {
  if (opening.deposit.address !== null) return opening;
  const { currency, depositId } = opening.deposit.terms;
  const address = await desk.takeAddressWithin(currency, depositId, leftOfTheWait(desk, opening));
  if (address !== undefined) await assignAddress(desk, depositId, address, actor);
  const now = await mustRead(desk, depositId);
  if (now.deposit.address === null) throw createDepositErrors.failed();
  return now;
};

/** Records the deposit, then sees to its address. */
export const writeDeposit = async (desk: IssueDesk, opening: QuoteIssued, actor: string): Promise<Opening> => {
  await writeOpening(desk, opening, actor);
  return withAddress(desk, await mustRead(desk, opening.data.terms.depositId), actor);
};
