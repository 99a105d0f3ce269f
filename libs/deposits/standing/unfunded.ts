import { absenceOf } from '../floor/payment.ts';
import type { Deposit, Standing } from '../floor/state.ts';
import { absences } from '../floor/words.ts';
import { countedIn } from './counting.ts';

/** What has come in when it was returned may be gone again: nothing is sent that is not there. */
export const unfundedOf = ({ standing, payments }: Deposit): Standing['returnUnfundedBecause'] => {
  if (standing.decision !== 'returned') return null;
  const absent = new Set(payments.filter(countedIn({ standing })).map(absenceOf));
  return absences.find((word) => absent.has(word)) ?? null;
};
