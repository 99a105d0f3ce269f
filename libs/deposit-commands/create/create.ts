import { createDepositErrors, ShownError } from '#platform/errors';
import type { DepositIds } from '../ids.ts';
import { enterFastLane } from './fast-lane.ts';
import { hashOfBody, type KeyedCall } from './idempotency.ts';
import type { IssueDesk, PlayerCheck } from './issue-desk.ts';
import { type Opening, readOpening } from './opening.ts';
import { quote } from './quote.ts';
import type { CreateRequest } from './request.ts';
import { withAddress, writeDeposit } from './write-deposit.ts';

/** No deposit was made: the player has to be verified first. */
export type NotVerified = { readonly status: 'kyc_required' | 'kyc_pending'; readonly message: string };

export type Created = ({ readonly status: 'ok' } & Opening) | NotVerified;

const ok = (opening: Opening): Created => ({ status: 'ok', ...opening });

/** "KYC check could not run": whatever the reason, no deposit is made without it. */
const checkPlayer = async (desk: IssueDesk, request: CreateRequest): Promise<PlayerCheck> => {
  const { caller, entityId, gamblerRef, phone, email } = request;
  try {
    return await desk.checkPlayer({ affiliateId: caller.affiliateId, entityId, gamblerRef, phone, email });
  } catch (error) {
    desk.logger.error({ err: error }, 'the identity of a player could not be checked');
    return { status: 'unavailable' };
  }
};

const make = async (desk: IssueDesk, request: CreateRequest, ids: DepositIds | undefined): Promise<Created> => {
  // "KYC is checked first … even if the request would fail later checks."
  const player = await checkPlayer(desk, request);
  if (player.status === 'unavailable') throw createDepositErrors.kycUnavailable();
  if (player.status !== 'verified') return player;
  const { actor, noConf, instant } = request;
  const opening = await quote(desk, request, player.contactRef, async () => ids ?? desk.ids.nextDeposit());
  const entered = noConf || instant ? await enterFastLane(desk, opening, actor) : opening;
  return ok(await writeDeposit(desk, entered, actor));
};

/** Everything that was asked, in one order; who calls and under which key is not part of it. */
const keyedCall = ({ key, caller, actor, ...asked }: CreateRequest): KeyedCall | undefined =>
  key === null
    ? undefined
    : { affiliateId: caller.affiliateId, key, bodyHash: hashOfBody(Object.entries(asked).toSorted()) };

const makeOnce = async (desk: IssueDesk, request: CreateRequest, call: KeyedCall): Promise<Created> => {
  const openingOf = (depositId: number) => readOpening(desk.log, depositId);
  const exists = async (depositId: number): Promise<boolean> => (await openingOf(depositId)) !== undefined;
  const joined = await desk.idempotency.join(call, exists);
  const known = await openingOf(joined.depositId);
  if (known) return ok(await withAddress(desk, known, request.actor));
  try {
    const created = await make(desk, request, joined);
    if (created.status !== 'ok') await joined.leave();
    return created;
  } catch (error) {
    await joined.leave().catch(() => undefined);
    throw error;
  }
};

/** POST /casino/deposit_address, from the check of the player's identity on. */
export const createDeposit = async (desk: IssueDesk, request: CreateRequest): Promise<Created> => {
  const call = keyedCall(request);
  try {
    return await (call ? makeOnce(desk, request, call) : make(desk, request, undefined));
  } catch (error) {
    if (error instanceof ShownError) throw error;
    desk.logger.error({ err: error }, 'a deposit could not be made');
    throw createDepositErrors.failed();
  }
};
