import { csvLine } from '#csv';
import { depositStreamPrefix } from '#deposit-commands';
import type { Decision, Told } from './decisions.ts';

export type ExportFormat = 'csv' | 'ndjson';

const columns = [
  ...['deposit_id', 'entity_id', 'affiliate_id', 'gambler_ref', 'test', 'decision', 'decided_at', 'recorded_at'],
  ...['actor', 'event', 'currency', 'crypto_amount', 'confirmed_crypto', 'usd_amount', 'player_amount'],
  ...['entity_net_usd', 'market_rate', 'return_id', 'return_address', 'revision', 'event_id', 'hash'],
] as readonly (keyof Decision)[];

/** In a table what is wrong stands where the decision would: no sum counts it, and nobody overlooks it. */
const cellsOf = (told: Told): Partial<Decision> => {
  if (!('problem' in told)) return told;
  const { stream = '', revision = 0, problem } = told;
  return {
    ...{ deposit_id: Number(stream.slice(depositStreamPrefix.length)), revision },
    ...{ decision: 'unknown', event: problem },
  };
};

const lineOf = (told: Told, format: ExportFormat): string => {
  if (format === 'ndjson') return `${JSON.stringify(told)}\n`;
  const cells = cellsOf(told);
  return csvLine(columns.map((name) => cells[name]));
};

/** The last line of what was asked for with its end: a connection that is cut off may look like one that ended. */
export type ExportEnd = { readonly end: { readonly lines: number } };

/** A page at a time: whoever reads slowly is waited for. A table has no end that is no row. */
export async function* asText(
  pages: AsyncIterable<readonly Told[]>,
  format: ExportFormat,
  withEnd = false,
): AsyncGenerator<string> {
  let lines = 0;
  if (format === 'csv') yield csvLine(columns);
  for await (const page of pages) {
    lines += page.length;
    if (page.length > 0) yield page.map((told) => lineOf(told, format)).join('');
  }
  if (withEnd && format === 'ndjson') yield `${JSON.stringify({ end: { lines } } satisfies ExportEnd)}\n`;
}
