export { MisfitIs, ReadsBody } from './body-manners.ts';
export { createHttpApp } from './create-http-app.ts';
export { HealthModule, MetricsModule } from './observability.module.ts';
export { readId } from './read-id.ts';
export { BODY_LIMIT } from './request-body.ts';

export { drainOnStop, ListenError, listen, listenError, type Place } from './serving.ts';
export { UncheckedWhenAbsent } from './validation.pipe.ts';
