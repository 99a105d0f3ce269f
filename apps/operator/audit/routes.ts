import type { DynamicModule } from '@nestjs/common';
import { routesOf } from '#door/http';
import { CheckController } from './check.controller.ts';
import { ExportController } from './export.controller.ts';
import { AuditJobsController } from './jobs.controller.ts';
import { AUDIT, type AuditParts } from './parts.ts';
import { SealsController } from './seals.controller.ts';

/** Proofs, for auditors. */
export const auditRoutes = (parts: AuditParts): DynamicModule =>
  routesOf([CheckController, AuditJobsController, SealsController, ExportController], { [AUDIT]: parts });
