export { createHealth, type Health } from './health.ts';
