import { type Answer, type Body, type Call, send } from './http.ts';

/** Where a service is, and the two tokens that its first start was given. */
export type Access = { readonly url: string; readonly operatorToken: string; readonly engineToken: string };

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

export const serviceAt = (access: () => Access): Service => {
  const call: Service['call'] = (method, path, options) => send(access().url, method, path, options);
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
