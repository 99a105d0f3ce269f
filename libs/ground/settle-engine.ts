import { setTimeout as later } from 'node:timers/promises';
import { changeEngine, engineLock, isSameEngine, type Played, rememberedEngine } from '#instances';
import { recordChange } from '#partners';
import type { Configuration } from '#platform/configuration';
import { inTransactionOver, type Queryable } from '#platform/postgres';
import type { Ground } from './ground.ts';
import { StartError } from './start-error.ts';
import { besides, isAlone, LOOK_MS, WAIT_MS } from './who-runs.ts';

export const asSettings = ({ engine, demo }: Played): string => `ENGINE=${engine} DEMO=${demo}`;

const refusal = (kept: Played, here: Played, advice: string): StartError =>
  new StartError(`this installation has ${asSettings(kept)}, this instance ${asSettings(here)}: ${advice}`);

export type Settings = Pick<Configuration, 'engine' | 'demo' | 'named'>;

/** What would be changed though nobody named it. A `DEMO` that follows from another `ENGINE` is named with it. */
export const leftOut = ({ engine, demo, named }: Settings, kept: Played): readonly string[] => {
  const isOther = engine !== kept.engine;
  const isFollowing = isOther && named.engine;
  return [
    ...(isOther && !named.engine ? ['ENGINE'] : []),
    ...(demo !== kept.demo && !named.demo && !isFollowing ? ['DEMO'] : []),
  ];
};

const LEFT_OUT = 'what is left out changes nothing';

export type SettleParts = Pick<Ground, 'configuration' | 'logger'> & { readonly waitMs?: number };

/** Only behind the lock what is kept stays kept. */
const join = async (client: Queryable, here: Played): Promise<boolean> => {
  if (!(await engineLock.share(client))) return false;
  if (isSameEngine(await rememberedEngine(client, here), here)) return true;
  await engineLock.unshare(client);
  return false;
};

/** Alone or not at all. Nobody comes in between the change and this connection's share of the lock. */
const change = async ({ logger }: SettleParts, client: Queryable, before: Played, after: Played): Promise<boolean> => {
  const work = async (): Promise<boolean> => {
    if (!(await isAlone(client, engineLock)) || !(await changeEngine(client, before, after))) return false;
    const what = { subject: 'engine', subjectId: 'ENGINE', before, after };
    await recordChange(client, { actor: 'ENGINE', action: 'changed', ...what });
    return engineLock.share(client);
  };
  const changed = await inTransactionOver(client, work, { isKept: (is) => is });
  if (changed)
    logger.warn({ alert: 'engine_changed', before, after }, 'this installation has another engine from now on');
  return changed;
};

/** This connection shares the lock, and the installation has this process's engine for as long as it does. */
export const settleEngine = async (parts: SettleParts, client: Queryable): Promise<void> => {
  const { configuration, waitMs = WAIT_MS } = parts;
  const here: Played = { engine: configuration.engine, demo: configuration.demo };
  for (const until = performance.now() + waitMs; ; await later(LOOK_MS)) {
    const kept = await rememberedEngine(client, here);
    const unnamed = leftOut(configuration, kept);
    if (unnamed.length > 0) throw refusal(kept, here, `set ${unnamed.join(' and ')} by name: ${LEFT_OUT}`);
    if (isSameEngine(kept, here) ? await join(client, here) : await change(parts, client, kept, here)) return;
    if (performance.now() > until) throw refusal(kept, here, await besides(client, engineLock));
  }
};
