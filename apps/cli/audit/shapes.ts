import type { JsonSchema } from '../command.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };

export const findingSchema: JsonSchema = {
  type: 'object',
  properties: {
    by: { enum: ['chain', 'rows', 'totals', 'seal'] },
    problem: text,
    ...{ stream: text, revision: whole, table: text, key: { type: 'object' }, field: text },
    found: { type: ['string', 'null'] },
    expected: { type: ['string', 'null'] },
  },
  required: ['by', 'problem'],
};

export const verifiedSchema: JsonSchema = {
  type: 'object',
  properties: {
    ...{ events: whole, streams: whole, rows: whole, findings: { type: 'array', items: findingSchema } },
    behind: whole,
  },
  required: ['events', 'streams', 'rows', 'findings', 'behind'],
};

export const sealSchema: JsonSchema = {
  type: 'object',
  properties: {
    ...{ format: text, number: whole, sealed_at: text, position: { type: ['string', 'null'] }, events: whole },
    ...{
      streams: whole,
      root: text,
      breaks: whole,
      previous: { type: ['string', 'null'] },
      key: text,
      signature: text,
    },
  },
  required: ['format', 'number', 'sealed_at', 'root', 'signature'],
};
