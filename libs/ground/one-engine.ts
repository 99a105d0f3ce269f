import { setTimeout as later } from 'node:timers/promises';
import { changeEngine, type Instance, keptEngine, listInstances, type Played } from '#instances';
import { recordChange } from '#partners';
import type { Configuration } from '#platform/configuration';
import { inTransaction } from '#platform/postgres';
import type { Ground } from './ground.ts';
import { StartError } from './start-error.ts';

const asSettings = ({ engine, demo }: Played): string => `ENGINE=${engine} DEMO=${demo}`;

const isSame = (one: Played, other: Played): boolean => one.engine === other.engine && one.demo === other.demo;

const refusal = (kept: Played, here: Played, advice: string): StartError =>
  new StartError(`this installation has ${asSettings(kept)}, this instance ${asSettings(here)}: ${advice}`);

const besides = (others: readonly Instance[]): string => {
  const who = others.map(({ apps, host, pid }) => `${apps.join(' ')} (${host}, process ${pid})`).join('; ');
  return `set it as the others have it, or stop them first; there run ${who}`;
};

type Settings = Pick<Configuration, 'engine' | 'demo' | 'named'>;

/** What would be changed though nobody named it. A `DEMO` that follows from another `ENGINE` is named with it. */
const leftOut = ({ engine, demo, named }: Settings, kept: Played): readonly string[] => {
  const isOther = engine !== kept.engine;
  const isFollowing = isOther && named.engine;
  return [
    ...(isOther && !named.engine ? ['ENGINE'] : []),
    ...(demo !== kept.demo && !named.demo && !isFollowing ? ['DEMO'] : []),
  ];
};

const LEFT_OUT = 'what is left out changes nothing';

/** So long at most stands one that was killed among those that run, and somewhat longer. */
const WAIT_MS = 20_000;
const LOOK_MS = 500;

type Parts = Pick<Ground, 'configuration' | 'logger' | 'pool'> & { readonly waitMs?: number };

const change = ({ logger, pool }: Parts, before: Played, after: Played): Promise<void> =>
  inTransaction(pool, async (db) => {
    if (!(await changeEngine(db, before, after))) return;
    const what = { subject: 'engine', subjectId: 'ENGINE', before, after };
    await recordChange(db, { actor: 'ENGINE', action: 'changed', ...what });
    logger.warn({ alert: 'engine_changed', before, after }, 'this installation has another engine from now on');
  });

/**
 * An installation has one engine, and the addresses of a demonstration or none. One more instance without these settings
 * would pay returns with transactions that no chain has, at prices that nobody asks, to addresses that nobody can spend
 * from: what was left out changes nothing, and what is asked for by name changes it while nobody else runs.
 */
export const holdToEngine = async (parts: Parts): Promise<void> => {
  const { configuration, pool, waitMs = WAIT_MS } = parts;
  const { engine, demo } = configuration;
  const here: Played = { engine, demo };
  for (const until = performance.now() + waitMs; ; ) {
    const kept = await keptEngine(pool, here);
    if (isSame(kept, here)) return;
    const unnamed = leftOut(configuration, kept);
    if (unnamed.length > 0) throw refusal(kept, here, `set ${unnamed.join(' and ')} by name: ${LEFT_OUT}`);
    const others = (await listInstances(pool)).filter(({ alive }) => alive);
    if (others.length === 0) await change(parts, kept, here);
    else if (performance.now() > until) throw refusal(kept, here, besides(others));
    else await later(LOOK_MS);
  }
};
