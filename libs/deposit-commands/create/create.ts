import { issueQuote, refused } from '#deposits';
import type { DepositIds } from '../ids.ts';
import { orBegun, orNotBegun, orNothingRecorded } from '../not-begun.ts';
import { enterFastLane } from './fast-lane.ts';
import { hashOfBody } from './idempotency.ts';
import type { IssueDesk, PlayerCheck } from './issue-desk.ts';
import type { KeyedCall } from './kept-keys.ts';
import { readOpening } from './opening.ts';
import type { CreateOutcome } from './outcome.ts';
import { mustBeAskedFor } from './own.ts';
import { quote } from './quote.ts';
import type { CreateRequest } from './request.ts';
import { withAddress, writeDeposit } from './write-deposit.ts';

/** "KYC check could not run": whatever the reason, no deposit is made without it. */
const checkPlayer = async (desk: IssueDesk, request: CreateRequest): Promise<PlayerCheck> => {
  const { caller, entityId, gamblerRef, phone, email } = request;
  try {
    const asked = { affiliateId: caller.affiliateId, keyId: caller.id };
    return await desk.checkPlayer({ ...asked, entityId, gamblerRef, phone, email });
  } catch (error) {
    desk.logger.error({ err: error }, 'the identity of a player could not be checked');
    return { outcome: 'unavailable' };
  }
};

type TakeIds = () => Promise<DepositIds>;

const make = async (desk: IssueDesk, request: CreateRequest, takeIds: TakeIds): Promise<CreateOutcome> => {
  // "KYC is checked first … even if the request would fail later checks."
  const player = await checkPlayer(desk, request);
  if (player.outcome === 'unavailable') return refused({ refusal: 'kyc_unavailable' });
  if (player.outcome !== 'verified') return player;
  const quoted = await orNothingRecorded(() => quote(desk, request, player.contactRef));
  if (quoted.outcome === 'refused') return quoted;
  const opening = issueQuote(quoted.quote, await orNothingRecorded(takeIds));
  const { actor, noConf, instant } = request;
  if (!noConf && !instant) return writeDeposit(desk, opening, request);
  const entered = await enterFastLane(desk, opening, actor);
  // The lane keeps what was to be opened, and whoever comes next may open it.
  return entered.outcome === 'entered' ? orBegun(() => writeDeposit(desk, entered.opening, request)) : entered;
};

/** Part of a digest whatever they say, since some are kept that were made so. */
const ALWAYS: readonly string[] = [
  'amount',
  'amountIsCrypto',
  'currency',
  'email',
  'entityId',
  'gamblerRef',
  'instant',
  'machineId',
  'noConf',
];

/** What a later release has added says nothing in a call of before: so a repeat across the upgrade is of the same body. */
const isSaid = ([name, value]: readonly [string, unknown]): boolean =>
  ALWAYS.includes(name) || (value !== null && value !== false);

/**
 * Everything that was asked, in one order; who calls and under which key is not part of it. The phone has a digest of its
 * own, with the key: no two rows tell that they are of one player.
 */
const keyedCall = (
  { bodyKey }: IssueDesk,
  { key, caller, actor, phone, ...asked }: CreateRequest,
): KeyedCall | undefined => {
  if (key === null) return undefined;
  const { affiliateId } = caller;
  return {
    ...{ affiliateId, key },
    bodyHash: hashOfBody(bodyKey, Object.entries(asked).filter(isSaid).toSorted()),
    phoneHash: hashOfBody(bodyKey, [affiliateId, key, phone]),
  };
};

const makeOnce = async (desk: IssueDesk, request: CreateRequest, call: KeyedCall): Promise<CreateOutcome> => {
  const openingOf = (depositId: number) => readOpening(desk.log, depositId);
  const exists = async (depositId: number): Promise<boolean> => (await openingOf(depositId)) !== undefined;
  const joined = await orNotBegun(() => desk.idempotency.join(call, exists));
  if (joined.outcome === 'refused') return joined;
  let isMade = false;
  try {
    const known = joined.isNew ? undefined : await openingOf(joined.depositId);
    if (known) {
      mustBeAskedFor(desk, known.deposit, request, joined);
      await orNothingRecorded(() => desk.onRepeat(joined.depositId));
      return await withAddress(desk, known, request.actor);
    }
    const takeIds = async (): Promise<DepositIds> => {
      await joined.beginDay();
      return joined;
    };
    const made = await make(desk, request, takeIds);
    isMade = made.outcome === 'applied';
    if (isMade && !joined.isNew) await orBegun(() => desk.onRepeat(joined.depositId));
    return made;
  } finally {
    if (!isMade) await joined.leave().catch(() => undefined);
  }
};

/** POST /casino/deposit_address, from the check of the player's identity on. */
export const createDeposit = async (desk: IssueDesk, request: CreateRequest): Promise<CreateOutcome> => {
  const call = keyedCall(desk, request);
  return call ? makeOnce(desk, request, call) : make(desk, request, desk.ids.nextDeposit);
};
