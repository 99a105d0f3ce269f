import { runCli } from './run.ts';

export { runCli };

// scripts/cointill.mjs imports it; in an image it is what runs.
if (import.meta.main) process.exitCode = await runCli(process.argv.slice(2));
