/** A column of secrets: one in each row, or a list in JSON of what is sealed, in hexadecimal. */
export type SealedPlace = {
  readonly table: string;
  readonly id: string;
  readonly column: string;
  readonly purpose: string;
  readonly list?: true;
};
