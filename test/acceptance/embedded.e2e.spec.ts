import { bindClauses } from './bind.ts';
import { startService } from './harness/index.ts';

bindClauses('on the embedded Postgres', () => startService());
