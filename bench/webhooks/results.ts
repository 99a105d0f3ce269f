import { table } from '../lib/report.ts';
import { ratios, type Spread, spreadOf } from '../lib/statistics.ts';

/** Deliveries per second, a figure a round, and sorted latencies. */
export type Figures = {
  readonly doneRows: number;
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  readonly latenciesMs: readonly number[];
};

/** Of the bare sender, and of the figure on an empty table. */
const LIMITS = { ofBare: 0.8, ofNone: 0.9 };

const whole = ({ median, min, max }: Spread): string => `${Math.round(median)} (${Math.round(min)}–${Math.round(max)})`;
const times = ({ median, min, max }: Spread): string => `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;

const at = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1);

export const printFigures = (figures: readonly Figures[], deliveries: number): string => {
  const rows = figures.map(({ doneRows, ours, bare, latenciesMs }) => [
    String(doneRows),
    whole(spreadOf(ours)),
    whole(spreadOf(bare)),
    times(ratios(ours, bare)),
    at(latenciesMs, 0.5),
    at(latenciesMs, 0.99),
  ]);
  const head = ['old deliveries', 'ours/s: median (min–max)', 'bare/s', 'ours / bare', 'p50 ms', 'p99 ms'];
  return [
    `ours/s: ${deliveries} deliveries stored and due, from the running scheduler's first look at them until the last is stored as delivered`,
    `bare/s: the same bodies signed and posted over kept connections, until the last is answered; nothing stored`,
    'p50, p99: from the storing of a delivery to its arrival, at a steady pace',
    '',
    table([head, ...rows]),
  ].join('\n');
};

/** The machine's minutes differ: what many old deliveries cost is read off the ratios to the bare sender too. */
export const judge = (none: Figures, many: Figures) => {
  const [ofBare, ofBareBesideMany] = [none, many].map(({ ours, bare }) => ratios(ours, bare).median);
  const manyOfNone = spreadOf(many.ours).median / spreadOf(none.ours).median;
  const ratioOfRatios = (ofBareBesideMany ?? 0) / (ofBare ?? Number.NaN);
  const checks = [
    { what: 'ours / bare', figure: ofBare ?? 0, limit: LIMITS.ofBare },
    { what: `ours / bare beside ${many.doneRows} old`, figure: ofBareBesideMany ?? 0, limit: LIMITS.ofBare },
    {
      what: `beside ${many.doneRows} old / beside none, by the ratios to bare`,
      figure: ratioOfRatios,
      limit: LIMITS.ofNone,
    },
  ];
  const lines = checks.map(
    ({ what, figure, limit }) =>
      `${what}: ${figure.toFixed(2)} (at least ${limit}: ${figure >= limit ? 'kept' : 'MISSED'})`,
  );
  return {
    kept: checks.every(({ figure, limit }) => figure >= limit),
    lines: [...lines, `beside ${many.doneRows} old / beside none, as measured: ${manyOfNone.toFixed(2)}`],
    figures: { ofBare, ofBareBesideMany, manyOfNone, ratioOfRatios },
  };
};
