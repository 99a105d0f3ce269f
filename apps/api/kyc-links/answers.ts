import { type ShownError, shown } from '#door/errors';
import type { LinkDisowned, LinkShown, LinkUse } from '#kyc';
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

const answer = (status: string, title: string, message: string): LinkAnswer => ({
  page: { title, text: message },
  body: { status, message },
});

const refused = (refusal: ShownError, text: string): LinkAnswer => ({
  page: { title: refusal.message, text },
  refusal,
});

const AGAIN = 'Start your deposit again: if a verification is still needed, a new link is sent to you.';

type Open = Extract<LinkShown, { readonly outcome: 'open' }>;

/** In whose name the text came, and what the button means: whoever reads it may know of nothing. */
const QUESTIONS: Readonly<Record<Open['purpose'], (casino: string) => Pick<Page, 'title' | 'text' | 'button'>>> = {
  verify: (casino) => ({
    title: `Verify your identity for ${casino}`,
    text: `Somebody gave your phone to deposit at ${casino}. If it was you, go on: your identity is verified, and you can deposit there.`,
    button: 'Verify my identity',
  }),
  confirm: (casino) => ({
    title: `Confirm your account at ${casino}`,
    text: `Somebody gave your phone to deposit at ${casino}, and you have been verified before. If you confirm, whoever asked deposits there in your name.`,
    button: 'This was me',
  }),
};

const question = ({ purpose, casinoName }: Open): LinkAnswer => {
  const page = QUESTIONS[purpose](casinoName);
  return { page: { ...page, mayDisown: true }, body: { status: 'open', message: page.text } };
};

type Settled = Exclude<(LinkShown | LinkUse | LinkDisowned)['outcome'], 'open'>;

const ANSWERS: Readonly<Record<Settled, LinkAnswer>> = {
  submitted: answer(
    'kyc_pending',
    'Thank you',
    'Your identity verification is pending. It takes a moment; then start your deposit again.',
  ),
  confirmed: answer('verified', 'Thank you', 'Your account is confirmed. You can start your deposit again.'),
  disowned: answer(
    'disowned',
    'Thank you',
    'The verification is refused, and for a while no text comes to your phone in the name of this casino.',
  ),
  unknown: refused(linkErrors.unknown(), AGAIN),
  used: refused(linkErrors.used(), AGAIN),
  expired: refused(linkErrors.expired(), AGAIN),
  replaced: refused(linkErrors.replaced(), 'Use the link of the latest message, or start your deposit again.'),
};

export const answerTo = (found: LinkShown | LinkUse | LinkDisowned): LinkAnswer =>
  found.outcome === 'open' ? question(found) : ANSWERS[found.outcome];
