import { answersSoon, askOn } from './ask-on.ts';
import { heldUntil, isElsewhere, type MaybeElsewhere } from './held-until.ts';
import { isProven, type OwnLabel, ownLabel } from './own-label.ts';

/** Such a log may be another's; the first start of whoever is told an engine settles it. */
const unsettled = ({ owner, kept }: OwnLabel): Error => {
  const who = 'the next start of api, operator, engine or projector settles that';
  if (owner) return new Error(`it has the name of an installation, and this database none yet: ${who}`);
  if (kept === undefined) return new Error(`it has no name yet, nor has this database: ${who}`);
  return new Error(
    `it has no name, and this database is of installation ${kept}: EVENTSTORE_URL names another log, or one that was ` +
      `given none yet, and ${who}`,
  );
};

/**
 * For whoever appends nothing and was told no engine. Of a log that has a name and is taken up by nobody yet, or that has
 * none, it cannot tell whether a Postgres was lost or the settings are wrong.
 */
export const checkInstallation = async (parts: MaybeElsewhere): Promise<void> => {
  if (!isElsewhere(parts)) return;
  const checked = heldUntil(parts, async () => {
    const own = await ownLabel(parts);
    if (own.owner ? own.kept === undefined : !(await isProven(parts, own))) throw unsettled(own);
  });
  if (!(await answersSoon(checked()))) askOn(parts, checked);
};
