import { type ShownError, shown } from '#door/errors';
import type { LinkLook, LinkUse } from '#kyc';
import type { Page } from './page.ts';

/** What is said of a link, to eyes and to programs. */
export type LinkAnswer =
  | { readonly page: Page; readonly body: { readonly status: string; readonly message: string } }
  | { readonly page: Page; readonly refusal: ShownError };

export const linkErrors = {
  unknown: () => shown(404, 'Link not found', { code: 'link_unknown' }),
  used: () => shown(410, 'This link has been used', { code: 'link_used' }),
  expired: () => shown(410, 'This link has expired', { code: 'link_expired' }),
  replaced: () => shown(410, 'This link has been replaced by a newer one', { code: 'link_replaced' }),
} as const;

const answer = (status: string, title: string, message: string, button?: string): LinkAnswer => ({
  page: { title, text: message, ...(button !== undefined && { button }) },
  body: { status, message },
});

const refused = (refusal: ShownError, text: string): LinkAnswer => ({
  page: { title: refusal.message, text },
  refusal,
});

const AGAIN = 'Start your deposit again: if a verification is still needed, a new link is sent to you.';

const ANSWERS: Readonly<Record<(LinkLook | LinkUse)['outcome'] | 'open_confirm', LinkAnswer>> = {
  open: answer('open', 'Verify your identity', 'One step is left before you can deposit.', 'Verify my identity'),
  open_confirm: answer(
    'open',
    'Confirm your account',
    'An account was found for your phone. Confirm that it is yours before you deposit.',
    'This is my account',
  ),
  submitted: answer(
    'kyc_pending',
    'Thank you',
    'Your identity verification is pending. It takes a moment; then start your deposit again.',
  ),
  confirmed: answer('verified', 'Thank you', 'Your account is confirmed. You can start your deposit again.'),
  unknown: refused(linkErrors.unknown(), AGAIN),
  used: refused(linkErrors.used(), AGAIN),
  expired: refused(linkErrors.expired(), AGAIN),
  replaced: refused(linkErrors.replaced(), 'Use the link of the latest message, or start your deposit again.'),
};

export const answerTo = (found: LinkLook | LinkUse): LinkAnswer =>
  ANSWERS[found.outcome === 'open' && found.purpose === 'confirm' ? 'open_confirm' : found.outcome];
