import { type DynamicModule, Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type pg from 'pg';
import { OperatorRoutes } from '#door/access';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import { listInstances } from '#instances';
import { InstancesBody } from './instance-bodies.ts';

const INSTANCES_POOL = Symbol('database of instances');

@OperatorRoutes('operator/instances', 'Operator: installation', 'admin', 'ops', 'auditor')
class InstancesController {
  @Inject(INSTANCES_POOL) private readonly pool!: pg.Pool;

  @Get()
  @Described('listInstances', 'The processes of this installation that run, what they run, and since when')
  @ApiOkResponse({ type: InstancesBody })
  async list(): Promise<InstancesBody> {
    return { instances: await listInstances(this.pool) };
  }
}

export const instanceRoutes = (pool: pg.Pool): DynamicModule =>
  routesOf([InstancesController], { [INSTANCES_POOL]: pool });
