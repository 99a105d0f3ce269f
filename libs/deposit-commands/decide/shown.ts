import type { ShownError } from '#platform/errors';

type Named = { readonly refusal: string };

/** A row for every refusal: one that is forgotten does not compile. */
export type ShownRefusals<Refusal extends Named> = {
  readonly [Name in Refusal['refusal']]: (refusal: Extract<Refusal, { readonly refusal: Name }>) => ShownError;
};

/** Looks the row up. The table's type says that a row takes the refusal of its name, which no lookup can say. */
export const showBy =
  <Refusal extends Named>(table: ShownRefusals<Refusal>) =>
  (refusal: Refusal): ShownError => {
    const row = table[refusal.refusal as Refusal['refusal']] as (refusal: Refusal) => ShownError;
    return row(refusal);
  };
