import { headerRefs } from './headers.ts';
import { type ChangeOperation, mapResponses } from './open-api.ts';

const ofEveryAnswer = headerRefs('X-Request-ID');

const ofKnownCallers = headerRefs('X-Ignored-Fields', 'X-Ignored-Body');

const ofLimitedRoutes = headerRefs('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');

const ofRates = headerRefs('RateLimit', 'RateLimit-Policy');

/** The interface has headers of its own there. */
const headersOfLimits = ({ operationId }: { readonly operationId?: string | undefined }) =>
  operationId === 'testWebhook' ? ofLimitedRoutes : ofRates;

/** Whoever can answer 429 says on every answer how much is left, save to those it does not know. */
export const withAnswerHeaders: ChangeOperation = (operation) => {
  const limited = '429' in operation.responses;
  return mapResponses(operation, ({ headers, ...response }, status) => ({
    ...response,
    headers: {
      ...ofEveryAnswer,
      ...(status === '401' ? {} : ofKnownCallers),
      ...(limited && status !== '401' ? headersOfLimits(operation) : {}),
      ...headers,
    },
  }));
};
