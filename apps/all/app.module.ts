import type { DynamicModule } from '@nestjs/common';
import type { Health } from '#platform/health';
import { ObservabilityModule } from '#platform/http';
import type { Metrics } from '#platform/metrics';
import { ApiModule, type ApiParts } from '../api/api.module.ts';

class AllModule {}

export type AllParts = ApiParts & { readonly health: Health; readonly metrics: Metrics };

/** Everything in one process. */
export const allModule = ({ health, metrics, ...api }: AllParts): DynamicModule => ({
  module: AllModule,
  imports: [ObservabilityModule.with(health, metrics), ApiModule.with(api)],
});
