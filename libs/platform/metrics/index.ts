export { registerGauge } from './asked-gauge.ts';
export { createMetrics, type HttpObservation, type Metrics } from './metrics.ts';
