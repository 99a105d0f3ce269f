import { expect } from '@jest/globals';
import type { Answer, Body } from './http.ts';
import { done, type Service } from './service.ts';
import { as } from './shapes.ts';
import { unique } from './unique.ts';

export type Person = { readonly id: number; readonly token: string; readonly cookie: string };

export const ofConsole = { 'Sec-Fetch-Site': 'same-origin', 'X-Cointill-Console': '1' };

/** People who are signed in at the console, and what they ask of each other. */
export const atConsole = (service: Service) => {
  const person = async (role: string, fields: Body = {}): Promise<Person> => {
    const made = as<{ id: number; token: string }>(
      done(await service.operator('POST', '/operator/tokens', { role, name: unique(role), ...fields })),
    );
    const begun = await service.call('POST', '/console/session', { headers: ofConsole, json: { token: made.token } });
    done(begun);
    return { ...made, cookie: begun.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  };
  const sendBecause = (reason: string, { cookie }: Person, path: string, json: Body, method = 'POST') =>
    service.call(method, path, {
      headers: { Cookie: cookie, ...ofConsole, 'X-Cointill-Reason': encodeURIComponent(reason) },
      json,
    });
  const send = (by: Person, path: string, json: Body = {}, method = 'POST'): Promise<Answer> =>
    sendBecause('papers shown', by, path, json, method);
  const heldAs = (answer: Answer): number => {
    expect(answer).toMatchObject({ status: 409, body: { code: 'approval_needed' } });
    return Number(answer.body.approval);
  };
  const approve = (by: Person, id: number) => send(by, `/operator/approvals/${id}/approve`);
  return { person, sendBecause, send, heldAs, approve };
};
