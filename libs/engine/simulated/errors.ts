import { shown } from '#platform/errors';

export const simulationErrors = {
  unknownDeposit: () => shown(404, 'Deposit not found'),
  cannotPlay: (why: string) => shown(409, `This scenario cannot be played with this deposit: ${why}`),
  notSimulated: () => shown(409, 'The engine is not simulated here: it plays scenarios only with ENGINE=simulated'),
} as const;
