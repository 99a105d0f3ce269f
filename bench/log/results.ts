import { table } from '../lib/report.ts';
import { ratios, type Spread, spreadOf } from '../lib/statistics.ts';
import type { Kind } from './contestant.ts';

/** Events per second, a figure a round. */
export type Appends = {
  readonly kind: Kind;
  readonly writers: number;
  readonly perSecond: Readonly<Record<string, number[]>>;
};
export type Reads = Record<'bare cursor' | 'readAll' | 'subscription', number[]>;

const whole = ({ median, min, max }: Spread): string => `${Math.round(median)} (${Math.round(min)}–${Math.round(max)})`;
const times = ({ median, min, max }: Spread): string => `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;

const OURS = 'event log';

export const printAppends = (appends: readonly Appends[]): string => {
  const names = Object.keys(appends[0]?.perSecond ?? {});
  const others = names.filter((name) => name !== OURS);
  const head = ['appends/s: median (min–max)', ...names, ...others.map((name) => `ours / ${name}`)];
  const rows = appends.map(({ kind, writers, perSecond }) => [
    `${kind}, ${writers} writers`,
    ...names.map((name) => whole(spreadOf(perSecond[name] ?? []))),
    ...others.map((name) => times(ratios(perSecond[OURS] ?? [], perSecond[name] ?? []))),
  ]);
  return table([head, ...rows]);
};

export const printReads = (reads: Reads): string =>
  table([
    ['catch-up, events/s: median (min–max)', 'figure', 'ours / bare cursor'],
    ['bare cursor', whole(spreadOf(reads['bare cursor'])), ''],
    ...(['readAll', 'subscription'] as const).map((name) => [
      name,
      whole(spreadOf(reads[name])),
      times(ratios(reads[name], reads['bare cursor'])),
    ]),
  ]);
