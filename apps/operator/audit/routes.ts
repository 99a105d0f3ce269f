import type { DynamicModule } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import { routesOf } from '#door/http';
import type { AuthenticateOperator } from '#partners';
import { CheckController } from './check.controller.ts';
import { ExportController } from './export.controller.ts';
import { AuditJobsController } from './jobs.controller.ts';
import { AUDIT, type AuditParts } from './parts.ts';
import { SealsController } from './seals.controller.ts';

/** Proofs, for auditors. */
export const auditRoutes = ({
  authenticateOperator,
  ...parts
}: AuditParts & { readonly authenticateOperator: AuthenticateOperator }): DynamicModule =>
  routesOf([CheckController, AuditJobsController, SealsController, ExportController], {
    [AUTHENTICATE_OPERATOR]: authenticateOperator,
    [AUDIT]: parts,
  });
