import { enableCompileCache, flushCompileCache } from 'node:module';

// Before the first big import: with compiled code kept from the last time a start takes half as long.
enableCompileCache();
const { start } = await import('./start.ts');
await start(process.argv.slice(2), process.env);
// Not at the end, which may be a kill.
flushCompileCache();
