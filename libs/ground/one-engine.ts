import { changeEngine, keptEngine, listInstances, type Played } from '#instances';
import { recordChange } from '#partners';
import { inTransaction, type Queryable } from '#platform/postgres';
import type { Ground } from './ground.ts';
import { StartError } from './start-error.ts';

const asSettings = ({ engine, demo }: Played): string => `ENGINE=${engine} DEMO=${demo}`;

const isSame = (one: Played, other: Played): boolean => one.engine === other.engine && one.demo === other.demo;

/** One that goes on with the engine of before would play, or wait, beside those with the new one. */
const refuseBesideOthers = async (db: Queryable): Promise<void> => {
  const running = (await listInstances(db)).filter(({ alive }) => alive);
  if (running.length === 0) return;
  const who = running.map(({ apps, host, pid }) => `${apps.join(' ')} (${host}, process ${pid})`).join('; ');
  throw new StartError(
    `ENGINE_CHANGE=true wants every other instance stopped first, for 15 seconds where one was killed: there run ${who}`,
  );
};

type Parts = Pick<Ground, 'configuration' | 'logger' | 'pool'>;

const change = async (db: Queryable, { logger }: Pick<Parts, 'logger'>, before: Played, after: Played) => {
  await refuseBesideOthers(db);
  await changeEngine(db, after);
  const what = { subject: 'engine', subjectId: 'ENGINE', before, after };
  await recordChange(db, { actor: 'ENGINE_CHANGE', action: 'changed', ...what });
  logger.warn({ alert: 'engine_changed', before, after }, 'this installation has another engine from now on');
};

/**
 * An installation has the engine that it was first started with: one more instance without that setting would pay
 * returns with transactions that no chain has, at prices that nobody asks, to addresses that nobody can spend from.
 */
export const holdToEngine = ({ configuration, logger, pool }: Parts): Promise<void> =>
  inTransaction(pool, async (db) => {
    const { engine, demo, engineChange } = configuration;
    const here: Played = { engine, demo };
    const kept = await keptEngine(db, here);
    if (isSame(kept, here)) return;
    if (engineChange) return change(db, { logger }, kept, here);
    throw new StartError(
      `this installation has ${asSettings(kept)}, this instance ${asSettings(here)}: set it as the others have it, or, to change it for all, stop them and start one with ENGINE_CHANGE=true`,
    );
  });
