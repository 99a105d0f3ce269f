export { addressOf } from './address-of.ts';
export { afterGuards } from './after-guards.ts';
export { MisfitIs, ReadsBody, RefusesUntypedBodies } from './body-manners.ts';
export { createHttpApp } from './create-http-app.ts';
export { From } from './from.ts';
export { noteKept } from './ignored.ts';
export { healthRoutes, metricsRoutes } from './observability.ts';
export { OnlyReads } from './only-reads.ts';
export { readId } from './read-id.ts';
export { BODY_LIMIT, bringsUntypedBody } from './request-body.ts';
export { routesOf } from './routes-of.ts';

export { drainOnStop, ListenError, listen, listenError, type Place } from './serving.ts';
export { UncheckedWhenAbsent } from './validation.pipe.ts';
