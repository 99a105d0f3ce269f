import type pg from 'pg';
import { outsidersOf } from '#platform/gate';
import type { Logger } from '#platform/logging';
import { createMemory } from '#platform/remembered';
import type { Secrets } from '#platform/secrets';
import { createDemonstration, type Demonstration } from './accounts/demonstration.ts';
import { type Accounts, openAccounts } from './accounts.ts';
import { type Authenticate, createAuthenticate } from './authentication/authenticate.ts';
import { listenForChanges } from './authentication/changes.ts';
import { createKeyHash } from './authentication/key-hash.ts';
import { type KeyRecord, keyStore } from './authentication/key-record.ts';
import { createLookUps } from './authentication/look-ups.ts';
import { rememberKeys } from './authentication/remembered-keys.ts';
import { type Casino, findCasino } from './casinos/casino.ts';
import { type CasinoFor, createCasinoFor, type FindCasino } from './casinos/casino-scope.ts';
import { affiliateWebhookFinder, type FindWebhook, type WebhookTarget, webhookFinder } from './casinos/webhook-of.ts';
import { describeKey, type KeyDescription } from './describe-key.ts';
import { type LegacyTokens, openLegacyTokens } from './legacy/tokens.ts';
import { type Approvals, openApprovals } from './operators/approvals.ts';
import { createAuthenticateOperator } from './operators/authenticate-operator.ts';
import type { AskChecks, AuthenticateOperator } from './operators/operator.ts';
import { type EndPerson, endPerson, type KnowPerson, knowPerson } from './operators/people.ts';
import { type MadeTokens, prepareTokens, type TokenSettings } from './operators/prepare-tokens.ts';
import { openSessions, type Sessions } from './operators/sessions.ts';
import { openSignIns, type SignIns } from './operators/sign-ins.ts';
import { rememberTokens, type TokenRecord } from './operators/token-record.ts';
import { checkInstallation } from './secrets-key/installation.ts';

/** Of a casino; and of an affiliate as a whole, for the older transactions. */
type WebhookSettings = { readonly webhookOf: FindWebhook; readonly webhookOfAffiliate: FindWebhook };

/**
 * The accounts of this installation: who may call, and what they may touch. Webhook settings are fresh from the database:
 * what is made or shown after a change goes by the change.
 */
export type Partners = WebhookSettings & {
  readonly authenticate: Authenticate;
  readonly authenticateOperator: AuthenticateOperator;
  /** Of the console. */
  readonly sessions: Sessions;
  /** By the operator's own provider. */
  readonly signIns: SignIns;
  readonly knowPerson: KnowPerson;
  readonly endPerson: EndPerson;
  readonly approvals: Approvals;
  readonly describeKey: (keyId: number) => Promise<KeyDescription | undefined>;
  /** Remembered; as old as a second at most. */
  readonly casino: FindCasino;
  readonly casinoFor: CasinoFor;
  /** Remembered; as old as a second at most. */
  readonly known: WebhookSettings;
  /** What operators read and change. */
  readonly accounts: Accounts;
  /** Of the older interface. */
  readonly legacyTokens: LegacyTokens;
  /** No account is given an id before this resolves. */
  readonly numberAfter: (ready: () => Promise<void>) => void;
  /** Undefined on every start but the first. */
  readonly createDemonstration: () => Promise<Demonstration | undefined>;
  readonly prepareTokens: (settings: TokenSettings) => Promise<MadeTokens>;
  /** After a change that this instance made: in force at once. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

export type PartnersOptions = {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** Left out: nobody asks for a second person, and people of a provider are known for as long as any. */
  readonly checks?: AskChecks;
};

/** What is asked on every request is remembered, each kind by itself, and forgotten together. */
const rememberAll = (pool: pg.Pool, settings: WebhookSettings) => {
  const keys = createLookUps<KeyRecord>(outsidersOf(pool));
  const tokens = createLookUps<TokenRecord>(outsidersOf(pool));
  const casinos = createMemory<Casino | undefined>();
  const casino: FindCasino = (id) => casinos.look(String(id), () => findCasino(pool, id));
  const webhooks = createMemory<WebhookTarget | undefined>();
  const known: WebhookSettings = {
    webhookOf: (id) => webhooks.look(`casino ${id}`, () => settings.webhookOf(id)),
    webhookOfAffiliate: (id) => webhooks.look(`affiliate ${id}`, () => settings.webhookOfAffiliate(id)),
  };
  const forget = (): void => {
    for (const memory of [keys, tokens, casinos, webhooks]) memory.forget();
  };
  return {
    keys: rememberKeys(keyStore(pool), keys),
    findToken: rememberTokens(pool, tokens),
    ...{ casino, known, forget },
  };
};

/** Throws `WrongSecretsKey` when the database belongs to another secrets key. */
export const openPartners = async ({
  pool,
  secrets,
  logger,
  checks = async () => ({ fourEyes: false, personSeconds: undefined }),
}: PartnersOptions): Promise<Partners> => {
  await secrets.refresh();
  await checkInstallation(pool, secrets);
  const [keyHash, tokenHash] = [createKeyHash(secrets), createKeyHash(secrets, 'operator tokens')];
  const settings: WebhookSettings = {
    webhookOf: webhookFinder(pool, secrets),
    webhookOfAffiliate: affiliateWebhookFinder(pool, secrets),
  };
  const { keys, findToken, casino, known, forget: forgetAll } = rememberAll(pool, settings);
  const forget = (): void => {
    forgetAll();
    legacyTokens.forget();
    sessions.forget();
  };
  const legacyTokens = openLegacyTokens(pool, createKeyHash(secrets, 'legacy tokens'));
  const { approvals, allow } = openApprovals({ pool, hash: createKeyHash(secrets, 'approvals'), checks });
  const sessionHash = createKeyHash(secrets, 'console sessions');
  const sessions = openSessions({ pool, gate: outsidersOf(pool), hash: sessionHash, hold: allow, checks });
  const changes = listenForChanges(pool, logger, () => {
    forget();
    secrets.refresh().catch((error: unknown) => logger.warn({ err: error }, 'keys of secrets could not be read anew'));
  });
  let ready = async (): Promise<void> => undefined;
  const beforeNumbering = (): Promise<void> => ready();
  return {
    authenticate: createAuthenticate(keys, keyHash),
    authenticateOperator: createAuthenticateOperator(findToken, tokenHash, sessions),
    sessions,
    signIns: openSignIns(pool, { signIns: createKeyHash(secrets, 'console sign-ins'), sessions: sessionHash }),
    knowPerson: (person) => knowPerson(pool, tokenHash)(person).finally(forget),
    endPerson: (subject) => endPerson(pool)(subject).finally(forget),
    approvals,
    describeKey: (keyId) =>
      outsidersOf(pool)({ party: `key ${keyId}`, thing: 'description' }, () => describeKey(pool, keyId)),
    casino,
    casinoFor: createCasinoFor(casino),
    ...settings,
    known,
    accounts: openAccounts({ pool, secrets, forget, beforeNumbering }),
    legacyTokens,
    numberAfter: (given) => {
      ready = given;
    },
    createDemonstration: () => createDemonstration(pool, keyHash, beforeNumbering).finally(forget),
    prepareTokens: (settings) => prepareTokens(pool, { hash: tokenHash, logger }, settings).finally(forget),
    forget,
    close: changes.stop,
  };
};
