import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type Checks, changeFourEyes, differences, strictestChecks } from '#instances';
import { type AskChecks, recordChange } from '#partners';
import type { Configuration } from '#platform/configuration';
import type { Health } from '#platform/health';
import type { Logger } from '#platform/logging';
import { inTransaction } from '#platform/postgres';
import { remember } from '#platform/remembered';

type Told = Pick<Configuration, 'fourEyes' | 'provider'>;

const peopleOf = ({ issuer, rolesClaim, roles }: NonNullable<Told['provider']>): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, rolesClaim, [...roles].sort()]))
    .digest('hex');

export const checksOf = ({ fourEyes, provider }: Told): Checks => ({
  fourEyes,
  recheckSeconds: provider?.recheckSeconds,
  people: provider && peopleOf(provider),
});

/** The strictest of what this process was told, what the others that run were, and what the installation remembers. */
export const askChecks = ({ fourEyes, provider }: Told, pool: pg.Pool): AskChecks => {
  const strictest = remember(() => strictestChecks(pool));
  const own = provider?.recheckSeconds;
  return async () => {
    const all = await strictest.get();
    const seconds = [own, all.recheckSeconds ?? undefined].filter((one) => one !== undefined);
    return {
      fourEyes: fourEyes === true || all.fourEyes,
      personSeconds: seconds.length === 0 ? undefined : Math.min(...seconds),
    };
  };
};

type Parts = {
  readonly configuration: Told;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly health: Health;
};

const LEFT_OUT =
  'FOUR_EYES was left out, and this installation wants a second person: FOUR_EYES=false by name, at every instance, ends that';

/** At the start of a process, before anybody calls. */
export const joinChecks = async (parts: Parts): Promise<void> => {
  const { configuration, pool, logger } = parts;
  await settleChecks(parts);
  if (configuration.fourEyes === undefined && (await strictestChecks(pool)).fourEyes) logger.info(LEFT_OUT);
};

const alarmOf = (settings: string): string =>
  `instances were started with different ${settings}: GET /operator/instances lists them`;

/**
 * Says for the installation what this process was told by name about a second person: at its start, and with every beat,
 * since FOUR_EYES=false holds only once nobody runs who was told otherwise. Tells where processes differ.
 */
export const settleChecks = async ({ configuration: { fourEyes }, pool, logger, health }: Parts): Promise<void> => {
  const changed =
    fourEyes !== undefined &&
    (await inTransaction(pool, async (db) => {
      if (!(await changeFourEyes(db, fourEyes))) return false;
      const states = { before: { four_eyes: !fourEyes }, after: { four_eyes: fourEyes } };
      const what = { actor: 'FOUR_EYES', action: 'changed', subject: 'four_eyes', subjectId: 'FOUR_EYES' } as const;
      await recordChange(db, { ...what, ...states });
      return true;
    }));
  if (changed)
    logger.warn(
      { alert: 'four_eyes_changed', four_eyes: fourEyes },
      fourEyes
        ? 'from now on what is dangerous at the console waits for a second person, at every instance'
        : 'from now on nobody is asked for a second person, at any instance',
    );
  for (const [settings, isSo] of await differences(pool))
    if (!isSo) health.calm(alarmOf(settings));
    else if (health.alarm(alarmOf(settings)))
      logger.warn({ alert: 'checks_differ', settings }, 'instances check operators differently');
};
