import { describeWhere } from '../support/jest-left-out.ts';
import { bindClauses } from './bind.ts';
import { fourEyes } from './clauses/four-eyes.ts';
import { fourEyesFindings } from './clauses/four-eyes-findings.ts';
import { startService } from './harness/index.ts';

/** A service that is given was started with whatever setting it has. */
const own = process.env.ACCEPTANCE_URL === undefined;

describeWhere(own, 'needs a service of its own, where a second person is asked')('started for it', () =>
  bindClauses('with FOUR_EYES', () => startService({ FOUR_EYES: 'true' }), { fourEyes, fourEyesFindings }),
);
