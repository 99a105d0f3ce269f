import type { JsonSchema } from '../json-schema.ts';
import { readDocument, schemaOfNamed } from '../operators/document.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const textOrNull = { type: ['string', 'null'] };

export const findingSchema: JsonSchema = {
  type: 'object',
  properties: {
    by: { enum: ['chain', 'rows', 'totals', 'trail', 'seal'] },
    problem: text,
    ...{ stream: text, revision: whole, table: text, key: { type: 'object' }, field: text },
    ...{ found: textOrNull, expected: textOrNull },
  },
  required: ['by', 'problem'],
};

export const verifiedSchema: JsonSchema = {
  type: 'object',
  properties: {
    ...{ events: whole, streams: whole, rows: whole, findings: { type: 'array', items: findingSchema } },
    behind: whole,
    proven: {
      type: 'object',
      properties: { stream: text, revision: whole, type: text, seal: whole, sealed_at: text },
    },
  },
  required: ['events', 'streams', 'rows', 'findings', 'behind'],
};

export const sealSchema = schemaOfNamed(['SealBody'], readDocument());

/** Of a seal's file: the seal, then where each history ended. */
export const sealFileSchema = schemaOfNamed(['SealBody'], readDocument(), {
  type: 'object',
  properties: { stream: text, revision: whole, hash: text },
  required: ['stream', 'revision', 'hash'],
});

/** Of a history: its events, or the deposit as it was read then. */
export const storySchema = schemaOfNamed(['EventBody', 'DepositBody'], readDocument());

export const proofSchema = schemaOfNamed(['ProofBody'], readDocument());

export const publicKeySchema = schemaOfNamed(['PublicKeyBody'], readDocument());

const decision = {
  ...{ deposit_id: whole, entity_id: whole, affiliate_id: whole, gambler_ref: text, test: { type: 'boolean' } },
  ...{ decision: text, decided_at: textOrNull, recorded_at: text, actor: textOrNull, event: text, currency: text },
  ...{ crypto_amount: text, confirmed_crypto: textOrNull, usd_amount: text, player_amount: text },
  ...{ entity_net_usd: text, market_rate: text, return_id: { type: ['integer', 'null'] }, return_address: textOrNull },
  ...{ revision: whole, event_id: text, hash: text },
};

/** Or what keeps the decisions of a deposit from being told. */
export const decisionSchema: JsonSchema = {
  anyOf: [{ type: 'object', properties: decision, required: Object.keys(decision) }, findingSchema],
};
