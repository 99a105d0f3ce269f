/**
 * Compiles, once and while the image is built, what every start of a container would compile again: nothing that a
 * container writes is there at its next start. What the apps import later, by their settings, is named here.
 */
import { enableCompileCache, flushCompileCache } from 'node:module';

enableCompileCache();
const later = ['kafkajs', '@eventstore/db-client', 'node-pg-migrate'];
for (const module of ['./dist/apps/all/start.js', './dist/apps/cli/run.js', ...later]) await import(module);
flushCompileCache();
process.exit();
