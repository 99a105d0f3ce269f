import { describeWhere } from '../support/jest-left-out.ts';
import { bindClauses } from './bind.ts';
import { publicAddresses } from './clauses/public-addresses.ts';
import { startService } from './harness/index.ts';

/** A service that is given was started with whatever setting it has. */
const own = process.env.ACCEPTANCE_URL === undefined;

describeWhere(own, 'needs a service of its own, which may not send to private addresses')('started for it', () =>
  bindClauses('by default', () => startService({ WEBHOOK_ALLOW_PRIVATE: 'false' }), { publicAddresses }),
);
