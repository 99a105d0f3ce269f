import { shown } from '#door/errors';

/** What the routes of audits refuse. */
export const auditErrors = {
  noSuchSeal: () => shown(404, 'Seal not found', { code: 'seal_not_found' }),
  invalidSeal: () => shown(400, 'Invalid seal number', { code: 'seal_number_invalid' }),
  noSuchJob: () => shown(404, 'Job not found', { code: 'job_not_found' }),
  invalidJob: () => shown(400, 'Invalid job ID', { code: 'job_id_invalid' }),
  tooManyJobs: () => shown(429, 'Too many of your audits wait already', { code: 'audits_waiting' }),
  noSuchEvent: () => shown(404, 'There is no such event', { code: 'event_not_found' }),
  noKey: () => shown(404, 'Nothing was sealed yet, so there is no key', { code: 'no_key_yet' }),
  notSealedYet: () => shown(409, 'No seal was made after this event yet', { code: 'not_sealed_yet' }),
  notAsSealed: () =>
    shown(409, 'This event cannot be proven: history is not as it was sealed; verify it against the seal', {
      code: 'not_as_sealed',
    }),
} as const;
