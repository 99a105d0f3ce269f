export { registerGauge } from './asked-gauge.ts';
export { createMetrics, type Metrics } from './metrics.ts';
