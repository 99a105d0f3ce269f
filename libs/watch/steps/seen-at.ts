import type { ChainBlock } from '#chains';

/** A clock that runs ahead is no witness: what is not known to have been seen earlier was seen now at the latest. */
export const seenAt = ({ time }: ChainBlock, now: Date): Date => new Date(Math.min(time * 1_000, now.getTime()));
