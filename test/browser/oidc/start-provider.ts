import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from '@jest/globals';
import Provider from 'oidc-provider';
import { freePort } from '../../support/free-port.ts';
import { type Forgery, forged, ours, people, ROLES } from './people.ts';

const CLIENT = { client_id: 'console', client_secret: 'the-secret-of-the-console-0001' };

const FORM = `<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1><form method="post">
<label>Name <input name="login" autofocus></label><button>Go on</button></form></main></html>`;

const configuration = (console_: string) => ({
  clients: [{ ...CLIENT, redirect_uris: [`${console_}/console/session/provider/back`] }],
  jwks: { keys: [ours] },
  cookies: { keys: ['a key of the provider of tests'] },
  claims: { openid: ['sub'], profile: ['name', 'groups'] },
  conformIdTokenClaims: false,
  ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  // Nobody is asked whether the console may know him.
  loadExistingGrant: async ({ oidc }: { oidc: { provider: Provider; client: Client; session: Session } }) => {
    const { clientId } = oidc.client;
    const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid profile');
    await grant.save();
    return grant;
  },
});

type Client = { readonly clientId: string };
type Session = { readonly accountId: string };

export type TestProvider = {
  readonly origin: string;
  /** Of the service that it lets people into. */
  readonly settings: () => Readonly<Record<string, string>>;
  /** What becomes of the ID tokens from now on. */
  forgery: Forgery | undefined;
  /** Is given what would be sent back to the console, which does not arrive there. */
  takes: ((url: URL) => void) | undefined;
};

/** A real OpenID provider, of another site than the console's. */
export const startProvider = (): TestProvider => {
  const server = createServer();
  let [port, console_] = [0, ''];
  const answer = (provider: Provider) => {
    const others = provider.callback();
    return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (!request.url?.startsWith('/interaction/')) return others(request, response);
      if (request.method !== 'POST') return void response.setHeader('content-type', 'text/html').end(FORM);
      const accountId = new URLSearchParams(await text(request)).get('login');
      await provider.interactionFinished(request, response, { login: { accountId } });
    };
  };
  const test: TestProvider = {
    get origin() {
      return `http://localhost:${port}`;
    },
    settings: () => ({
      PORT: new URL(console_).port,
      OIDC_ISSUER: test.origin,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_ROLES: ROLES,
      CONSOLE_URL: console_,
    }),
    forgery: undefined,
    takes: undefined,
  };
  beforeAll(async () => {
    console_ = `http://127.0.0.1:${await freePort()}`;
    port = await freePort();
    const provider = new Provider(test.origin, configuration(console_));
    provider.use(async (context, next) => {
      await next();
      const { body } = context;
      if (test.forgery && typeof body === 'object' && typeof body.id_token === 'string')
        body.id_token = forged(body.id_token, test.forgery, CLIENT.client_secret);
      const back = context.response.get('location') ?? '';
      if (!(test.takes && back.startsWith(console_))) return;
      context.response.remove('location');
      [context.status, context.body] = [200, 'taken'];
      test.takes(new URL(back));
    });
    const answered = answer(provider);
    server.on('request', (request, response) => void answered(request, response));
    server.listen(port, 'localhost');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return test;
};
