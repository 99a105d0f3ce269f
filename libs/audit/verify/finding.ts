import type { FoldedRow, RowDifference } from '#read-models';

/**
 * What is not as it was written, and what says so: the chain of its stream, the fold that rows and totals are held
 * against, the chain of the audit trail, or a seal.
 */
export type Finding = {
  readonly by: 'chain' | 'rows' | 'totals' | 'trail' | 'seal';
  readonly problem: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly table?: string;
  readonly key?: FoldedRow['key'];
  readonly field?: string;
  /** As text, with every digit. */
  readonly found?: string | null;
  readonly expected?: string | null;
};

const MISSING = 'the row is missing';

export const isOfMissingRow = ({ by, problem }: Finding): boolean => by === 'rows' && problem === MISSING;

/** Each difference by its name. */
export const findingsOf = (
  { row: { table, key }, fields }: RowDifference,
  place: Pick<Finding, 'by' | 'stream'>,
): readonly Finding[] => {
  if (fields === undefined) return [{ ...place, table, key, problem: MISSING }];
  return fields.map((difference) => ({
    ...place,
    table,
    key,
    ...difference,
    problem: 'it is not what history makes it',
  }));
};
