import { enableCompileCache } from 'node:module';

// Before the first big import: with compiled code kept from the last time a start takes half as long.
enableCompileCache();
const { run } = await import('./run.ts');
await run(process.env);
