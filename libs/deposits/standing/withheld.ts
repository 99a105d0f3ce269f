import type { Payment } from '../floor/payment.ts';
import type { Deposit, Standing } from '../floor/state.ts';
import { type Withholding, withholdings } from '../floor/words.ts';
import { countedIn } from './counting.ts';

const ofPayment = ({ state, reorged }: Payment): Withholding | false => {
  if (state === 'unconfirmed') return reorged ? 'reorged' : 'unconfirmed';
  return state !== 'confirmed' && state;
};

/** Everything that speaks against paying the casino for an accepted live deposit, now. */
export const withholdingsOf = ({ terms, standing, payments }: Deposit): readonly Withholding[] => {
  if (standing.decision !== 'accepted' || terms.test) return [];
  const counted = payments.filter(countedIn({ standing }));
  const found = new Set<Withholding | false>([
    standing.ofacStatus === 'hit' && 'ofac_hit',
    standing.kytStatus === 'failed' && 'kyt_failed',
    ...counted.map(ofPayment),
  ]);
  return withholdings.filter((withholding) => found.has(withholding));
};

/** What an operator released stays released; what comes up later withholds again. */
export const withheldOf = (deposit: Deposit): Standing['settlementWithheld'] => {
  const found = withholdingsOf(deposit);
  const held = found.find((withholding) => !deposit.settlementReleased.includes(withholding));
  return held ?? (found.length > 0 ? 'released' : null);
};
