import type { DepositEvent, Instant } from '#deposits';

/** What a payload tells beside the deposit itself. */
export type Occasion = {
  /** When it happened: the `at` of the signal or of the command, never the time of sending. */
  readonly at: Instant;
  readonly externalCode: string | null;
  /** Test events alone carry the marker: a deposit of a test casino does not. */
  readonly test?: boolean;
};

export const instantOf = (event: DepositEvent): Instant =>
  event.type === 'QuoteIssued' ? event.data.terms.issuedAt : event.data.at;

export const unixSeconds = (at: Instant): number => Math.floor(Date.parse(at) / 1_000);

/** Absent rather than false: only test events have the key. */
export const testMark = ({ test = false }: Occasion): { readonly test?: true } => (test ? { test: true } : {});
