import type { OpenAPIObject } from '@nestjs/swagger';
import { withAnswerHeaders } from './answer-headers.ts';
import { bodyExamples } from './body-examples.ts';
import { commonRefusals } from './common-refusals.ts';
import { answerHeaders } from './headers.ts';
import { mapOperations } from './open-api.ts';
import { webhookParameters } from './webhooks/headers.ts';
import { webhookSection } from './webhooks/section.ts';

/** Adds to what the routes say of themselves what is true of all of them, and the webhooks. */
export const completed = (document: OpenAPIObject): OpenAPIObject => {
  const schemas = document.components?.schemas ?? {};
  const [refused, exampled] = [commonRefusals(schemas), bodyExamples(schemas)];
  const whole = mapOperations(document, (operation, method) =>
    withAnswerHeaders(exampled(refused(operation, method), method), method),
  );
  return {
    ...whole,
    webhooks: webhookSection(),
    components: { ...document.components, headers: answerHeaders, parameters: webhookParameters },
  };
};
