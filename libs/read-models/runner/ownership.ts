import type { ProjectionId } from '../projection.ts';

/** Of each version: one owner at a time. */
export const ownerOf = ({ name, version }: ProjectionId): string => `projection ${name} v${version}`;

/** Of whatever version: one rebuild of a name at a time. */
export const rebuilderOf = ({ name }: ProjectionId): string => `projection rebuild ${name}`;

/**
 * Commits need not wait for the disk: rows and checkpoint are lost together or not at all, and the log has them. Rows are
 * found by their keys, however few there were when a statement was planned.
 */
export const OWNER_SETTINGS = {
  synchronous_commit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};
