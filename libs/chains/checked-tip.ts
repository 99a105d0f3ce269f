import type { BlockTip } from './chain-node.ts';
import { isHash, shown } from './checked-hash.ts';
import { NodeUnreadable } from './readable.ts';

/** As the header of a block has its time, in 32 bits. */
const MOST = 0xffffffff;

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST;

const rules: Readonly<Record<'hash' | 'height' | 'time' | 'prunedBelow', (value: unknown) => boolean>> = {
  hash: isHash,
  height: isCount,
  time: isCount,
  prunedBelow: isCount,
};

export const checkedTime = (time: unknown, height: number): number => {
  if (!isCount(time)) throw new NodeUnreadable(`it tells a time of block ${height} that none can have: ${shown(time)}`);
  return Number(time);
};

/** A node that tells of a head that none can be is believed in nothing, whatever else it says. */
export const checkedTip = (tip: BlockTip): BlockTip => {
  for (const name of ['hash', 'height', 'time', 'prunedBelow'] as const)
    if (!rules[name](tip[name]))
      throw new NodeUnreadable(`it tells of a newest block that none can be: its ${name} is ${shown(tip[name])}`);
  return tip;
};
