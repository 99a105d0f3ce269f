import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startControl } from './control.ts';
import { startStandIn } from './standIn.ts';

// usage: node main.ts [--host ADDRESS] [--port N] [--data DIR] [--control-port M] [--faults JSON]
//   as a node of a cluster: --cluster HOST:PORT,HOST:PORT,… --node N --data DIR, the same for all
const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '2113' },
    data: { type: 'string' },
    'control-port': { type: 'string' },
    faults: { type: 'string', default: '{}' },
    cluster: { type: 'string' },
    node: { type: 'string', default: '0' },
  },
});

const places = values.cluster?.split(',').map((place) => {
  const [host = '', port] = place.split(':');
  return { host, port: Number(port) };
});
const node = Number(values.node);
const cluster = places && { dir: values.data ?? '.', node, places };

const standIn = await startStandIn({
  host: values.host,
  port: places?.[node]?.port ?? Number(values.port),
  faults: JSON.parse(values.faults),
  ...(values.data !== undefined && { dataDir: values.data }),
  ...(cluster && { cluster }),
});
const control =
  values['control-port'] === undefined ? undefined : await startControl(standIn, Number(values['control-port']));

/** Whoever is to kill it by its number finds it beside the data. */
if (values.data !== undefined && !cluster) {
  mkdirSync(values.data, { recursive: true });
  writeFileSync(join(values.data, 'pid'), String(process.pid));
}

process.once('SIGTERM', () => {
  console.log(`dropped ${standIn.faults.dropped()} subscribers that were too slow`);
  control?.close();
  standIn.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
console.log(`listening on ${standIn.url}`);
