import type { Deposit } from '../floor/state.ts';

/** The gates that decisions share. Each names its row, or lets the command through. */
export const decisionGate = ({ standing: { decision } }: Deposit) =>
  decision === 'pending' ? undefined : ({ refusal: 'already_decided', decision } as const);

export const ofacGate = ({ standing: { ofacStatus, ofacDeadlineAt } }: Deposit) => {
  if (ofacStatus === 'hit') return { refusal: 'ofac_sanctioned' } as const;
  return ofacStatus === 'pending' ? ({ refusal: 'ofac_screen_pending', ofacDeadlineAt } as const) : undefined;
};

export const kytGate = ({ standing: { kytStatus } }: Deposit) => {
  if (kytStatus === null) return { refusal: 'kyt_not_completed' } as const;
  return kytStatus === 'passed' ? undefined : ({ refusal: 'kyt_not_passed', kytStatus } as const);
};
