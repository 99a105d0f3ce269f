import { Get, Inject } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiOkResponse } from '@nestjs/swagger';
import { Actor, OperatorRoutes, operationsFor } from '#door/access';
import { Described } from '#door/openapi';
import type { Operator } from '#partners';
import { MeBody } from './session-bodies.ts';

export const meOf = ({ id, name, role, subject }: Operator, modules: ModulesContainer): MeBody => ({
  ...{ id, name, role, confirms_by: subject === undefined ? 'token' : 'provider' },
  can: operationsFor(modules, role),
});

@OperatorRoutes('operator/me', 'Operator: console', 'admin', 'ops', 'auditor', 'engine')
export class MeController {
  @Inject(ModulesContainer) private readonly modules!: ModulesContainer;

  @Get()
  @Described('describeMe', 'Who calls, and what he may call')
  @ApiOkResponse({ type: MeBody })
  me(@Actor() operator: Operator): MeBody {
    return meOf(operator, this.modules);
  }
}
