import { shown } from './shown-error.ts';

/** What a proxy with TLS of its own has of what it needs, as far as a request shows it. */
export type Front = {
  /** In TRUSTED_PROXIES: it has said for whom it calls, and was believed. */
  readonly isNamed: boolean;
  readonly saysTls: boolean;
};

const missingOf = ({ isNamed, saysTls }: Front = { isNamed: false, saysTls: false }): readonly string[] => [
  ...(isNamed ? [] : ['name the proxy in TRUSTED_PROXIES']),
  ...(saysTls ? [] : ['let the proxy send X-Forwarded-Proto: https']),
];

/** What calls of the console may be refused for. */
export const sessionErrors = {
  foreignRequest: () =>
    shown(403, 'A session of the console is for the console alone: elsewhere send a token', {
      code: 'session_foreign_request',
    }),
  notEncrypted: (front?: Front) =>
    shown(
      403,
      `The console needs TLS anywhere but on this machine itself. Behind TLS of your own: ${missingOf(front).join(', and ')}`,
      { code: 'console_needs_tls' },
    ),
  confirmationNeeded: () =>
    shown(403, 'Show your token again before this is done', { code: 'session_confirmation_needed' }),
  reasonNeeded: () => shown(403, 'Say why this is done (X-Cointill-Reason)', { code: 'session_reason_needed' }),
  sentBefore: () =>
    shown(409, 'This has been sent before: it may have been done. Look before you do it again', {
      code: 'attempt_sent_before',
    }),
  approvalNeeded: (approval: number) =>
    shown(409, `This waits for a second person: approval ${approval}`, { code: 'approval_needed', approval }),
  ownApproval: () => shown(403, 'Somebody else has to approve what you asked for', { code: 'approval_own' }),
  approvalAboutYou: () =>
    shown(403, 'Somebody else has to decide what is asked for about you', { code: 'approval_about_you' }),
  approvalOver: () => shown(409, 'This approval is decided or over', { code: 'approval_over' }),
  approvalNotFound: () => shown(404, 'Approval not found', { code: 'approval_not_found' }),
  invalidApprovalId: () => shown(400, 'Invalid approval ID', { code: 'approval_id_invalid' }),
  otherPerson: () =>
    shown(409, 'Somebody else has signed in in this browser since: nothing was done', {
      code: 'session_other_person',
    }),
  otherToken: () => shown(403, 'This session began with another token', { code: 'session_other_token' }),
} as const;
