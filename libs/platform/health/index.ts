export { type CheckResult, createHealth, type Health, type Readiness } from './health.ts';
