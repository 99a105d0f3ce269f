import { shown } from '#door/errors';

export const projectionErrors = {
  unknown: () => shown(404, 'Projection not found', { code: 'projection_not_found' }),
  running: () => shown(409, 'A rebuild of this projection is already running', { code: 'rebuild_running' }),
} as const;
