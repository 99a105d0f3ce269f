import type { IncomingMessage, ServerResponse } from 'node:http';

/** How an endpoint answers. */
export type Manner = (response: ServerResponse, request: IncomingMessage) => void;

export const answers =
  (code: number, body = '', headers: Readonly<Record<string, string>> = {}): Manner =>
  (response) => {
    response.writeHead(code, { ...headers }).end(body);
  };

/** Takes the request, and never says anything. */
export const hang: Manner = () => undefined;

/** Ends the connection without an answer. */
export const hangUp: Manner = (response) => {
  response.destroy();
};

/** Says all that matters at once, and does not come to an end. */
export const endless =
  (code: number, body: string): Manner =>
  (response) => {
    response.writeHead(code).write(body);
  };

export const delayed =
  (ms: number, manner: Manner): Manner =>
  (response, request) => {
    setTimeout(() => manner(response, request), ms);
  };

/** One manner after the other, the last one for good. */
export const inTurn = (...manners: readonly [Manner, ...Manner[]]): Manner => {
  let turn = 0;
  return (response, request) => {
    const manner = manners[Math.min(turn, manners.length - 1)];
    turn += 1;
    manner?.(response, request);
  };
};
