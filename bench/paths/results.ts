import { writeFile } from 'node:fs/promises';
import { table } from '../lib/report.ts';
import { ratios, type Spread, spreadOf } from '../lib/statistics.ts';

/** Chapter → contestant → a figure a round. */
export type Figures = Record<string, Partial<Record<'ours' | 'bare', number[]>>>;

/** Shares of the bare service, milliseconds for one caller, or a rate. */
const GOALS: Readonly<Record<string, { readonly ratio?: number; readonly ms?: number; readonly rate?: number }>> = {
  create: { ratio: 0.4 },
  'read one': { ratio: 0.7 },
  'list 50': { ratio: 0.7 },
  accept: { ratio: 0.6 },
  signals: { rate: 6_000 },
  'create alone ms': { ms: 6 },
  'accept alone ms': { ms: 6 },
};

export const add = (figures: Figures, name: 'ours' | 'bare', measured: Readonly<Record<string, number>>): void => {
  for (const [chapter, figure] of Object.entries(measured)) {
    figures[chapter] ??= {};
    const chapters = figures[chapter];
    chapters[name] = [...(chapters[name] ?? []), figure];
  }
};

const text = ({ median, min, max }: Spread, digits = 0): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;

const goalOf = (chapter: string): string => {
  const { ratio, ms, rate } = GOALS[chapter] ?? {};
  if (ratio !== undefined) return `≥ ${ratio}`;
  if (ms !== undefined) return `≤ ${ms} ms`;
  return rate === undefined ? '' : `≥ ${rate}/s`;
};

export const printFigures = (figures: Figures): string => {
  const rows = Object.entries(figures).map(([chapter, { ours = [], bare }]) => {
    const digits = chapter.endsWith('ms') ? 1 : 0;
    const theirs = bare ? [text(spreadOf(bare), digits), text(ratios(ours, bare), 2)] : ['', ''];
    return [chapter, text(spreadOf(ours), digits), ...theirs, goalOf(chapter)];
  });
  return table([['path (a second, unless ms)', 'ours: median (min–max)', 'bare', 'ours / bare', 'to reach'], ...rows]);
};

const [LEFT, WIDTH, ROW] = [130, 420, 34];

const bar = (nth: number, [chapter, { ours = [], bare = [] }]: [string, Figures[string]]): string => {
  const { median, min, max } = ratios(ours, bare);
  const x = (value: number): number => Math.round(LEFT + Math.min(value, 1.2) * (WIDTH / 1.2));
  const y = 30 + nth * ROW;
  const { ratio } = GOALS[chapter] ?? {};
  return [
    `<text x="${LEFT - 8}" y="${y + 15}" text-anchor="end">${chapter}</text>`,
    `<rect x="${LEFT}" y="${y}" width="${x(median) - LEFT}" height="20" fill="#4878a8"/>`,
    `<path d="M${x(min)} ${y + 10}H${x(max)}" stroke="#102030" stroke-width="2"/>`,
    `<text x="${x(Math.max(median, max)) + 8}" y="${y + 15}">${median.toFixed(2)}</text>`,
    ratio === undefined ? '' : `<path d="M${x(ratio)} ${y - 4}V${y + 24}" stroke="#c04040" stroke-width="2"/>`,
  ].join('');
};

/** Shares of the bare service: bars are medians, lines how far the rounds lay, red what is to be reached. */
export const draw = (path: string, figures: Figures): Promise<void> => {
  const shares = Object.entries(figures).filter(([chapter, { bare }]) => bare && !chapter.endsWith('ms'));
  const height = 40 + shares.length * ROW;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="${height}" font-family="sans-serif" font-size="13">`;
  const title = '<text x="10" y="18">Requests a second, as a share of a bare service that does the same writes</text>';
  return writeFile(path, `${head}${title}${shares.map((share, nth) => bar(nth, share)).join('')}</svg>\n`);
};
