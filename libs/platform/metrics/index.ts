export { createMetrics, type HttpObservation, type Metrics } from './metrics.ts';
