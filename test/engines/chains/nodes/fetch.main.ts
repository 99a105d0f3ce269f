import { missingNode, type NodeName, programs } from './programs.ts';

/** `node --conditions=source test/engines/chains/nodes/fetch.main.ts [name …]`: the nodes of the tests, so that no test waits for them. */
const wanted = process.argv.slice(2);
for (const name of Object.keys(programs) as NodeName[]) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const missing = await missingNode(name);
  if (missing === undefined) continue;
  process.stderr.write(`${missing}\n`);
  process.exitCode = 1;
}
