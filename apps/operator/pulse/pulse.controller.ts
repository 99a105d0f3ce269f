import { type DynamicModule, Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type pg from 'pg';
import { OperatorRoutes } from '#door/access';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import type { EventLog } from '#event-log';
import { type Remembered, remember } from '#platform/remembered';
import { PulseBody } from './pulse-body.ts';

const PULSE = Symbol('pulse');

const STOPPED = `
  SELECT name FROM projection_checkpoints WHERE state = 'stopped'
  UNION SELECT name FROM projection_rebuilds WHERE state = 'failed' ORDER BY name`;

@OperatorRoutes('operator/pulse', 'Operator: console', 'admin', 'ops', 'auditor')
class PulseController {
  @Inject(PULSE) private readonly pulse!: Remembered<PulseBody>;

  @Get()
  @Described('readPulse', 'Whether anything has happened: cheap enough to be asked every second by every page')
  @ApiOkResponse({ type: PulseBody })
  read(): Promise<PulseBody> {
    return this.pulse.get();
  }
}

type Parts = {
  readonly log: Pick<EventLog, 'head'>;
  readonly pool: pg.Pool;
};

/** Asked once for all pages that ask within its time. */
const pulseOf = ({ log, pool }: Parts): Remembered<PulseBody> =>
  remember(
    async () => {
      const [head, { rows }] = await Promise.all([log.head(), pool.query<{ name: string }>(STOPPED)]);
      return { at: new Date().toISOString(), head: head ?? null, stopped: rows.map(({ name }) => name) };
    },
    { ttlMs: 400 },
  );

export const pulseRoutes = (parts: Parts): DynamicModule => routesOf([PulseController], { [PULSE]: pulseOf(parts) });
