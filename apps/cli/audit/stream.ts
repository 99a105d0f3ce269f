import type { Call, Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';
import { pagesFrom } from '../parts/pages.ts';
import { storySchema } from './shapes.ts';

type Told = {
  readonly revision: number;
  readonly type: string;
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly actor: string | null;
  readonly data: Readonly<Record<string, unknown>>;
};

const said = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** What changed, in the words of the event: what it says of the deposit's standing, and why. */
const story = ({ occurred_at, type, actor, data }: Told): string => {
  const changes = Object.entries((data.changes ?? {}) as object).map(([name, value]) => `${name} ${said(value)}`);
  const why = ['reason', 'note', 'status', 'result'].flatMap((name) =>
    data[name] ? [`${name} ${said(data[name])}`] : [],
  );
  return [occurred_at, type.padEnd(18), changes.join(', ') || '-', `by ${actor ?? 'nobody named'}`, ...why].join('  ');
};

type Damage = { readonly revision: number; readonly problem: string };

type Page = { readonly events: readonly Told[]; readonly next_cursor: string | null; readonly damage?: Damage };

/** Answers with what is wrong with them, where the service says so. */
async function* eventsOf({ service }: Call, id: string): AsyncGenerator<Told, Damage | undefined> {
  let damage: Damage | undefined;
  const read = async (cursor: string | undefined): Promise<Page> => {
    const query = { raw: 'true', limit: '200', cursor };
    return (await service().call('GET', `/operator/deposits/${id}/events`, { query })) as Page;
  };
  for await (const page of pagesFrom(read, '0')) {
    damage ??= page.damage;
    yield* page.events;
  }
  return damage;
}

const showEvent = (out: Call['out'], event: Told): void => out.row(event, () => story(event));

export const stream: Command = {
  words: 'audit stream',
  summary: 'The story of a deposit: when, what, what changed, who and why',
  description: 'With --at or --revision the Deposit object as its partner would have read it then.',
  args: [['<deposit>', 'id of the deposit']],
  options: [
    ['--at <time>', 'as it was read at this time'],
    ['--revision <number>', 'as it was read when its history ended with this event'],
  ],
  examples: ['cointill audit stream 1021', 'cointill audit stream 1021 --at 2026-01-31T14:05:00Z --json'],
  json: storySchema,
  rows: true,
  run: async (call) => {
    const { args, option, out, service } = call;
    const [id = ''] = args;
    if (!/^\d+$/.test(id)) throw usage(`${id} is no id of a deposit`);
    const query = { at: option('at'), revision: option('revision') };
    if (query.at !== undefined || query.revision !== undefined) {
      const deposit = (await service().call('GET', `/operator/deposits/${id}`, { query })) as Record<string, unknown>;
      if (out.json) out.row(deposit, () => '');
      else out.fields(deposit);
      return exit.done;
    }
    const events = eventsOf(call, id);
    let next = await events.next();
    for (; !next.done; next = await events.next()) showEvent(out, next.value);
    if (next.value === undefined) return exit.done;
    out.note(`The history is damaged from revision ${next.value.revision} on: ${next.value.problem}`);
    return exit.finding;
  },
};
