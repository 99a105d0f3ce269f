import type { Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { bodyExamples } from './body-examples.ts';
import { commonRefusals } from './common-refusals.ts';
import { answerHeaders, headerRefs } from './headers.ts';
import { type ChangeOperation, mapOperations, mapResponses } from './open-api.ts';

type Components = NonNullable<OpenAPIObject['components']>;

/** What no route can say: the calls that the service itself makes. */
export type ToldBeside = {
  readonly webhooks?: NonNullable<OpenAPIObject['webhooks']>;
  readonly parameters?: NonNullable<Components['parameters']>;
  /** The bodies that these refer to. */
  readonly bodies?: readonly Type<object>[];
};

const ofEveryAnswer = headerRefs('X-Request-ID');

const ofKnownCallers = headerRefs('X-Ignored-Fields', 'X-Ignored-Body');

const ofLimitedRoutes = headerRefs('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');

const ofRates = headerRefs('RateLimit', 'RateLimit-Policy');

/** The interface has headers of its own there. */
const headersOfLimits = ({ operationId }: { readonly operationId?: string | undefined }) =>
  operationId === 'testWebhook' ? ofLimitedRoutes : ofRates;

/** Whoever can answer 429 says on every answer how much is left, save to those it does not know. */
const withAnswerHeaders: ChangeOperation = (operation) => {
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

/** Adds to what the routes say of themselves what is true of all of them, and what is told beside them. */
export const completed = (document: OpenAPIObject, { webhooks, parameters }: ToldBeside): OpenAPIObject => {
  const schemas = document.components?.schemas ?? {};
  const [refused, exampled] = [commonRefusals(schemas), bodyExamples(schemas)];
  const whole = mapOperations(document, (operation, method) =>
    withAnswerHeaders(exampled(refused(operation, method), method), method),
  );
  return {
    ...whole,
    ...(webhooks && { webhooks }),
    components: { ...document.components, headers: answerHeaders, ...(parameters && { parameters }) },
  };
};
