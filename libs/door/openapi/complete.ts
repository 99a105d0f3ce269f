import type { OpenAPIObject } from '@nestjs/swagger';
import { withAnswerHeaders } from './answer-headers.ts';
import { bodyExamples } from './body-examples.ts';
import { commonRefusals } from './common-refusals.ts';
import { answerHeaders } from './headers.ts';
import { mapOperations } from './open-api.ts';
import type { ToldBeside } from './told-beside.ts';

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
