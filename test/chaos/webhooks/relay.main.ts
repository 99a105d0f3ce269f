import { openPostgresEventLog } from '#event-log/postgres';
import { silentLogger } from '#platform/logging';
import { startRelay } from '../../../apps/notifier/relay/index.ts';
import { openWorkplace, sayReady } from './workplace.ts';

const { orders, pool, bus, partners, seal } = await openWorkplace();
const log = await openPostgresEventLog({ databaseUrl: orders.databaseUrl });
startRelay({ log, bus, pool, settings: partners, seal, logger: silentLogger });
sayReady();
