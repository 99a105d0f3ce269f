import { type Deposit, stand } from '../floor/state.ts';
import { type Instant, secondsAfter } from '../floor/time.ts';

export const unknownAddresses = ({ fundingAddresses }: Deposit, addresses: readonly string[]): readonly string[] => {
  const known = new Set(fundingAddresses);
  return [...new Set(addresses)].filter((address) => !known.has(address));
};

/**
 * Screening starts with the first payment, and again with every new funding address: both statuses are pending, with
 * a new deadline. A hit, a failure and a review stay: a review is ended by an answer, never by more money.
 */
export const startScreening = (deposit: Deposit, newAddresses: readonly string[], at: Instant): Deposit => {
  const { kytStatus, ofacStatus } = deposit.standing;
  if (kytStatus !== null && newAddresses.length === 0) return deposit;
  const screened = stand(
    deposit,
    kytStatus === 'failed' || kytStatus === 'review'
      ? {}
      : { kytStatus: 'pending', kytRiskScore: null, kytCheckedAt: null },
  );
  return ofacStatus === 'hit'
    ? screened
    : stand(screened, {
        ofacStatus: 'pending',
        ofacDeadlineAt: secondsAfter(at, deposit.terms.ofacDeadlineSeconds),
      });
};
