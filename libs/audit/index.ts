/** For auditors: what was seen when, whether history and rows are as they were written, and how that is proven. */
import { migrationsBeside } from '#platform/migrations';

export { type Ahead, aheadOfLog } from './ahead.ts';
export type { Told } from './export/decisions.ts';
export { asText, type ExportEnd, type ExportFormat } from './export/text.ts';
export { toldDecisions } from './export/told-decisions.ts';
export { askJob, findJob, type Job, type JobKind, listJobs } from './jobs/jobs.ts';
export { type Auditor, startAuditor } from './jobs/start-auditor.ts';
export { hasSealed, keptHeads } from './kept/kept-heads.ts';
export { headsOfSeal, lastSeal, listSeals, sealNumbered } from './kept/kept-seals.ts';
export { publicKeyOf, sealedKeyOfSeals } from './kept/key.ts';
export { type Head, type Seal, sealProblem } from './kept/seal.ts';
export { type AgainstSeal, againstSeal, headsProblem } from './seals/against-seal.ts';
export { makeSeal, type SealParts } from './seals/make-seal.ts';
export { type Proof, proofProblem, proveEvent } from './seals/proof.ts';
export { depositThen, type Moment } from './time-travel/deposit-then.ts';
export { checkDeposit } from './verify/check-deposit.ts';
export type { Finding } from './verify/finding.ts';
export { holdRows } from './verify/hold-rows.ts';
export { verifyInTwo } from './verify/other-thread.ts';
export { type Refused, refusedIn } from './verify/refused.ts';
export { type Progress, type Verified, type VerifyOptions, verify } from './verify/verify.ts';

export const migrations = migrationsBeside(import.meta.url, 'audit', ['audit_seals']);
