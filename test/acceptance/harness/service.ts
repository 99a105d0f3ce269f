import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Body, type Call, send } from './http.ts';

/** Where a service is, and the two tokens that its first start was given. */
export type Access = {
  readonly url: string;
  readonly operatorToken: string;
  readonly engineToken: string;
  /** "In force at once on the instance that answered, on the others within a second": 0 where there are no others. */
  readonly changesReachAllWithinMs?: number;
  /** How long is waited for what comes by itself, where more than the usual is fair. */
  readonly patienceMs?: number;
  /** Where processes are killed all the while: leaves those alone that send webhooks, until the returned is called. */
  readonly spareSenders?: () => Promise<() => void>;
};

export type SignalResult = {
  readonly signal_id: string;
  readonly outcome: 'applied' | 'duplicate' | 'ignored' | 'rejected';
  readonly detail: string | null;
};

export type Service = {
  readonly access: () => Access;
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>;
  /** With a bearer token, the first admin's unless told. */
  readonly operator: (method: string, path: string, json?: unknown, token?: string) => Promise<Answer>;
  readonly signals: (signals: readonly Body[]) => Promise<readonly SignalResult[]>;
};

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const resultsOf = ({ status, text, body }: Answer): readonly SignalResult[] => {
  if (status !== 200 || !Array.isArray(body.results)) throw new Error(`signals were answered ${status}: ${text}`);
  return body.results;
};

/** What an operator makes nobody has known otherwise; players are looked up at every create. */
const changesWhatIs = (method: string, path: string): boolean =>
  path.startsWith('/operator/') &&
  (['PATCH', 'PUT', 'DELETE'].includes(method) || path.endsWith('/webhook-secret')) &&
  path !== '/operator/players';

export const serviceAt = (access: () => Access, ask: typeof send = send): Service => {
  let reachesAllAt = 0;
  const call: Service['call'] = async (method, path, options) => {
    const changes = changesWhatIs(method, path);
    const early = reachesAllAt - performance.now();
    if (!changes && early > 0) await delay(early);
    const answer = await ask(access().url, method, path, options);
    const { changesReachAllWithinMs = 0 } = access();
    if (changes && answer.status < 300 && changesReachAllWithinMs > 0)
      reachesAllAt = performance.now() + changesReachAllWithinMs;
    return answer;
  };
  const operator: Service['operator'] = (method, path, json, token = access().operatorToken) =>
    call(method, path, { headers: bearer(token), json });
  return {
    access,
    call,
    operator,
    signals: async (signals) => resultsOf(await operator('POST', '/engine/signals', { signals }, access().engineToken)),
  };
};

/** A step that a case builds on, and does not judge. */
export const done = (answer: Answer): Body => {
  if (answer.status < 200 || answer.status > 299) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer.body;
};
