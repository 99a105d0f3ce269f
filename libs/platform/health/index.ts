export { createHealth, type Health, type Readiness } from './health.ts';
