import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkEncrypted, sessionOfLink, setSessionCookie } from '#door/access';
import { httpErrors, ShownError } from '#door/errors';
import { addressOf } from '#door/http';
import { type RatesParts, useRateOfAddress } from '#door/rates';
import type { Partners } from '#partners';
import type { ProviderConfiguration } from '#platform/configuration';
import { Crowded } from '#platform/gate';
import type { Logger } from '#platform/logging';
import type { Notice } from '../pages/notice-page.ts';
import { isAway } from './away.ts';
import { nameOf } from './name-of.ts';
import { BACK, type Proved, type Provider } from './provider.ts';
import { roleOf } from './role-of.ts';
import { setSignInCookie, signInCookieOf } from './sign-in-cookie.ts';

export type SignInParts = {
  readonly settings: ProviderConfiguration;
  readonly provider: Provider;
  readonly partners: Pick<Partners, 'authenticateOperator' | 'endPerson' | 'knowPerson' | 'sessions' | 'signIns'>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly rates: RatesParts;
  readonly show: (reply: FastifyReply, status: number, notice: Notice) => unknown;
};

type Query = { readonly page?: unknown; readonly confirm?: unknown };

const HERE = 'http://console';
const LONGEST_PAGE = 1_000;

/** Of the console alone, whatever was asked for, and no longer than any is: it is kept until he is back. */
const pageIn = (page: unknown): string => {
  const url = URL.parse(`/console${page}`, HERE);
  const isOurs = url?.origin === HERE && /^\/console\/(?!session\b)/.test(url.pathname);
  const found = isOurs ? url.pathname + url.search : '/console/';
  return found.length > LONGEST_PAGE ? '/console/' : found;
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Somebody is sent to the operator's provider, and what comes back with him becomes a session, or confirms one. */
export const serveSignIn = (fastify: FastifyInstance, parts: SignInParts): void => {
  const { settings, provider, partners, logger, rates, show } = parts;

  const sessionToConfirm = async (request: FastifyRequest): Promise<string | undefined> => {
    const secret = sessionOfLink(request);
    if (secret === undefined) return undefined;
    const known = await partners.authenticateOperator({ session: secret }, addressOf(request));
    return known.outcome === 'authenticated' ? secret : undefined;
  };

  const showAway = (reply: FastifyReply, error: unknown): unknown => {
    logger.warn({ err: error }, `the provider ${settings.issuer} (OIDC_ISSUER) cannot be asked`);
    const text = `${settings.issuer} does not answer as a provider does. Sign in with a token, or try again later.`;
    return show(reply, 503, { title: 'The provider cannot be reached', text });
  };

  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    // Nobody shows a credential here: the address is all there is to count by.
    const most = rates.rates.linksPerAddress;
    await useRateOfAddress(rates, reply, { of: 'sign-ins', from: addressOf(request), most });
    const { page, confirm } = request.query as Query;
    const session = confirm === undefined ? undefined : await sessionToConfirm(request);
    if (confirm !== undefined && session === undefined)
      return show(reply, 403, { title: 'Nobody is signed in here', text: 'There is no session to go on with.' });
    const asked = await provider.ask(session !== undefined).catch((error: unknown) => void showAway(reply, error));
    if (!asked) return reply;
    setSignInCookie(request, reply, await partners.signIns.begin(asked, pageIn(page), session));
    return reply.header('cache-control', 'no-store').redirect(asked.url);
  };

  const admit = async (request: FastifyRequest, reply: FastifyReply, proved: Proved, sent: SentBack) => {
    const found = roleOf(proved.claims, settings);
    if ('missing' in found) {
      await partners.endPerson(proved.subject);
      return show(reply, 403, { title: 'You have no role here', text: found.missing });
    }
    const person = { subject: proved.subject, name: nameOf(proved.claims), role: found.role };
    const known = await partners.knowPerson(person);
    if (known.outcome === 'revoked') {
      const text = 'An admin of this service has shut you out, whatever your provider says.';
      return show(reply, 403, { title: 'You are shut out here', text });
    }
    if (sent.confirms === null) {
      setSessionCookie(request, reply, await partners.sessions.begin(known.operator, proved.at));
      return reply.redirect(sent.page);
    }
    if (await partners.sessions.confirmBy(sent.confirms, known.operator, proved.at)) {
      const text = 'Close this window, and go on where you were.';
      return show(reply, 200, { title: 'You are known again', text, back: false });
    }
    const text = 'Whoever signed in at the provider now is not whose session it is.';
    return show(reply, 403, { title: 'This session is somebody else’s', text, back: false });
  };

  type SentBack = NonNullable<Awaited<ReturnType<typeof partners.signIns.take>>>;

  const takeBack = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const secret = signInCookieOf(request);
    const sent = secret && (await partners.signIns.take(secret, addressOf(request)));
    setSignInCookie(request, reply, '');
    if (!sent) {
      const text = 'It was begun in another browser, is done already, or took more than ten minutes.';
      return show(reply, 400, { title: 'This sign-in is not known here', text });
    }
    const url = new URL(request.url, settings.consoleUrl);
    const proved = await provider.prove(url, sent, sent.confirms !== null).catch((error: unknown) => error);
    if (isAway(proved)) return showAway(reply, proved);
    if (!isProved(proved)) {
      logger.warn({ reason: reasonOf(proved) }, 'what came back from the provider proves nobody');
      const text = `What the provider sent back does not prove who you are: ${reasonOf(proved)}`;
      return show(reply, 403, { title: 'You are not signed in', text });
    }
    return admit(request, reply, proved, sent);
  };

  type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

  const failed = (reply: FastifyReply, thrown: unknown): unknown => {
    const error = thrown instanceof Crowded ? httpErrors.crowded() : thrown;
    const title = 'You are not signed in';
    if (error instanceof ShownError)
      return show(reply.headers(error.headers), error.status, { title, text: error.message });
    logger.error({ err: error }, 'a sign-in by the provider has failed');
    return show(reply, 500, { title, text: 'Something is wrong with this service; its log says what.' });
  };

  const guarded =
    (work: Work): Work =>
    async (request, reply) => {
      try {
        checkEncrypted(request);
        await work(request, reply);
      } catch (error) {
        failed(reply, error);
      }
      return reply;
    };

  fastify.get('/console/session/provider', guarded(send));
  fastify.get(BACK, guarded(takeBack));
};

const isProved = (proved: unknown): proved is Proved =>
  typeof proved === 'object' && proved !== null && 'subject' in proved && 'claims' in proved;
