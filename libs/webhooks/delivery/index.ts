/** Deliveries: stored before they are sent, attempted until they are answered well or given up. */

export { detailOfDelivery } from './detail.ts';
export { headersOf } from './headers.ts';
export { defaultLimits } from './limits.ts';
export { type DeliveryFilters, type DeliveryStatus, findDelivery, listDeliveries } from './list.ts';
export { type EndpointState, type EndpointView, endpointStates, listEndpoints } from './list-endpoints.ts';
export { makeDeliveries } from './make-deliveries.ts';
export { createDeliveryMetrics, type DeliveryMetrics } from './metrics.ts';
export { pruneBodies, pruneDeliveries } from './prune.ts';
export { type InStep, replay, resumeReplays, stopReplay } from './replay.ts';
export { countReplay, type Replayed, type Wanted } from './replay-pages.ts';
export { type Scheduler, type SchedulerOptions, startScheduler } from './scheduler.ts';
export { redeliver, type SentAgain } from './send-again.ts';
