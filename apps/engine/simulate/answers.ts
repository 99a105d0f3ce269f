import { appliedOr } from '#door/answers';
import { scopeErrors, shown } from '#door/errors';
import type { Simulated } from '#engine';

export const simulationErrors = {
  cannotPlay: (why: string) =>
    shown(409, `This scenario cannot be played with this deposit: ${why}`, { code: 'scenario_unplayable' }),
  notSimulated: () =>
    shown(409, 'The engine is not simulated here: it plays scenarios only with ENGINE=simulated', {
      code: 'engine_not_simulated',
    }),
} as const;

export const planned = appliedOr<Simulated>({
  not_found: scopeErrors.depositNotFound,
  refused: ({ refusal: { why } }) => simulationErrors.cannotPlay(why),
});
