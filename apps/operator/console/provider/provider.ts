import * as openid from 'openid-client';
import type { SentAway } from '#partners';
import type { ProviderConfiguration } from '#platform/configuration';
import { reasonOf } from '#platform/reason';
import { remember } from '#platform/remembered';
import { askProvider, ProviderAway } from './away.ts';
import { provenBy } from './proven.ts';
import type { Claims } from './role-of.ts';

/** Where the provider sends people back to; registered there. */
export const BACK = '/console/session/provider/back';

const TIMEOUT_S = 5;
const KNOWN_FOR_MS = 3_600_000;

/** Whoever confirms has shown the provider who he is since then. */
const FRESH_S = 60;

export type Proved = { readonly claims: Claims; readonly subject: string; readonly at: Date };

export type Provider = {
  /** Where to send somebody, and what has to come back with him; `fresh`: he has to show who he is once more. */
  readonly ask: (fresh: boolean) => Promise<SentAway & { readonly url: string }>;
  /** Throws unless what came back proves who he is: `isAway` says of what where it is the provider that is not there. */
  readonly prove: (url: URL, sent: SentAway, fresh: boolean) => Promise<Proved>;
};

type Found = Pick<ProviderConfiguration, 'issuer' | 'clientId' | 'clientSecret'>;

/** Tokens are checked by their signatures also where they came over TLS. */
const discover = async ({ issuer, clientId, clientSecret }: Found): Promise<openid.Configuration> => {
  const server = new URL(issuer);
  const insecure = server.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
  const found = await openid.discovery(server, clientId, clientSecret, undefined, {
    execute: insecure,
    timeout: TIMEOUT_S,
    [openid.customFetch]: askProvider,
  });
  const metadata = found.serverMetadata();
  const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const shown = ways.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost;
  const configuration = new openid.Configuration(metadata, clientId, clientSecret, shown(clientSecret));
  configuration.timeout = TIMEOUT_S;
  configuration[openid.customFetch] = askProvider;
  for (const allow of insecure) allow(configuration);
  openid.enableNonRepudiationChecks(configuration);
  return configuration;
};

/** Of people whom the ID token alone says nothing about. */
const moreOf = async (configuration: openid.Configuration, accessToken: string, subject: string): Promise<Claims> =>
  configuration.serverMetadata().userinfo_endpoint
    ? await openid.fetchUserInfo(configuration, accessToken, subject)
    : {};

/** The OpenID provider of the operator: authorization code with PKCE, state and nonce. */
export const openProvider = (settings: ProviderConfiguration): Provider => {
  const found = (): Promise<openid.Configuration> =>
    discover(settings).catch((cause: unknown) => {
      throw new ProviderAway(reasonOf(cause), { cause });
    });
  const known = remember(found, { ttlMs: KNOWN_FOR_MS });
  return {
    ask: async (fresh) => {
      const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()];
      const url = openid.buildAuthorizationUrl(await known.get(), {
        ...{ redirect_uri: settings.consoleUrl + BACK, scope: settings.scope, state, nonce },
        ...{ code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
        ...(fresh && { prompt: 'login', max_age: String(FRESH_S) }),
      });
      return { state, nonce, verifier, url: url.href };
    },
    prove: async (url, { state, nonce, verifier }, fresh) => {
      const configuration = await known.get();
      const tokens = await openid.authorizationCodeGrant(configuration, url, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        ...(fresh && { maxAge: FRESH_S }),
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('no ID token came');
      const proven = provenBy(claims);
      const more = await moreOf(configuration, tokens.access_token, claims.sub);
      return { claims: { ...more, ...claims }, ...proven };
    },
  };
};
