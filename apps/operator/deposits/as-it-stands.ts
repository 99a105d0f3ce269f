import { loadDeposit } from '#deposit-commands';
import { type Deposit, holdsOf, screenedOf, sinceOf, type WithholdingReason, withholdingsOf } from '#deposits';
import type { Danger, DangerCheck } from '#door/access';
import { scopeErrors } from '#door/errors';
import type { EventLog } from '#event-log';
import type { Operator } from '#partners';

/** Each with the revision at which it came up: what comes up again is something else, and is asked for anew. */
const found = (deposit: Deposit, reasons: readonly WithholdingReason[]): readonly object[] =>
  reasons.map((reason) => ({ reason, revision: sinceOf(deposit, reason) }));

export const kytAsItStands = (deposit: Deposit): object => {
  const { kytStatus, kytRiskScore, kytCheckedAt } = deposit.standing;
  const answer = { kyt_status: kytStatus, kyt_risk_score: kytRiskScore, kyt_checked_at: kytCheckedAt };
  const { amount, addresses } = screenedOf(deposit);
  const money = {
    ...{ crypto_amount: amount, funding_addresses: addresses },
    unknown_senders_of: deposit.unknownSendersOf,
  };
  return { kyt: { ...answer, ...money, revision: sinceOf(deposit, 'kyt') } };
};

export const returnAsItStands = (deposit: Deposit): object => ({
  return: {
    held_because: found(deposit, holdsOf(deposit)),
    crypto_amount: deposit.refund?.cryptoAmount ?? null,
    return_address: deposit.refund?.returnAddress ?? null,
  },
});

export const settlementAsItStands = (deposit: Deposit): object => ({
  settlement: { withheld: found(deposit, withholdingsOf(deposit)), batch_id: deposit.settlementBatchId },
});

type Look = {
  readonly depositId: number;
  /** What whoever calls says that he has looked at. */
  readonly seen: number | null;
  readonly operator: Operator;
  readonly checkDanger: DangerCheck;
};

type Asked = {
  /** Throws what the act would be refused with: nobody is asked to let that through. */
  readonly refuse: (deposit: Deposit) => unknown;
  readonly stands: (deposit: Deposit) => object;
  readonly danger?: Danger;
};

/** Up to which revision of its history what is done now was looked at; null: by a token, which need not say. */
export const seenOf = async (
  log: Pick<EventLog, 'read'>,
  { depositId, seen, operator, checkDanger }: Look,
  { refuse, stands, danger }: Asked,
): Promise<number | null> => {
  if (!operator.session) return seen;
  const { state: deposit } = await loadDeposit(log, depositId);
  if (deposit.stage === 'none') throw scopeErrors.depositNotFound();
  refuse(deposit);
  await checkDanger(stands(deposit), danger);
  return Math.min(seen ?? deposit.revision, deposit.revision);
};
