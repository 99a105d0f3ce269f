import { keyOf, type ProjectionId, type ProjectionLogger } from '../projection.ts';
import type { Damage } from './damage.ts';

/** The log has told of the broken history itself: this is what became of it. */
export const tellDamage = (logger: ProjectionLogger, projection: ProjectionId, found: readonly Damage[]): void => {
  for (const damage of found)
    logger.error(
      { projection: projection.name, ...damage },
      `projection ${keyOf(projection)} takes nothing more of stream ${damage.stream}, from revision ${damage.revision} ` +
        `on, until it is as it was written again: ${damage.problem}`,
    );
};
