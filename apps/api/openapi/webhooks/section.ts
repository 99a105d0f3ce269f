import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { type Operation, pascalCase } from '#door/openapi';
import { type WebhookEvent, webhookEvents } from '#webhooks';
import { toldEvents } from './events.ts';
import { examplePayload } from './example-payload.ts';
import { webhookParameters } from './headers.ts';

const description =
  'Sent to the URL of the casino, else to that of an active key that covers it. Answer fast with any 2xx: ' +
  'an attempt ends after 30 seconds, and redirects are not followed. After a failure it is sent again, up to ten times ' +
  'over about two days. The order is not guaranteed, and new fields may come: ignore those you do not know.';

const operationIdOf = (event: WebhookEvent): string => `on${pascalCase(event)}`;

const parameters = Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));

const operationOf = (event: WebhookEvent): Operation => {
  const { summary, body } = toldEvents[event];
  const schema = {
    allOf: [
      { $ref: getSchemaPath(body) },
      { type: 'object', properties: { event: { type: 'string', enum: [event] } } },
    ],
  };
  return {
    operationId: operationIdOf(event),
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters,
    requestBody: {
      required: true,
      description: 'Keys sorted at every level, no white space; these bytes are signed',
      content: {
        'application/json': {
          schema,
          examples: { test: { summary: 'As the test-webhook call sends it', value: examplePayload(event) } },
        },
      },
    },
    responses: { '2XX': { description: 'Taken. Anything else, and no answer, is a failure' } },
  };
};

/** One entry for each event, by its name. */
export const webhookSection = (): NonNullable<OpenAPIObject['webhooks']> =>
  Object.fromEntries(webhookEvents.map((event) => [event, { post: operationOf(event) }]));
