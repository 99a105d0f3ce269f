import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { resolved, type Schema, type Schemas } from '#door/openapi';
import { misfits } from '#door/openapi/testing';
import { engineTables, openTestEngine, type TestEngine } from '#engine/testing';
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts';
import { type ServedEngine, serveEngine } from '../testing/serve-engine.ts';

type Signal = Readonly<Record<string, unknown>>;
type Told = { readonly type: string; readonly schema: Schema; readonly example: Signal };

/** Of a deposit that nobody made: whatever can be read is rejected for one reason. */
const NOBODYS = 999_999;
const READ = 'no quote was issued';

let database: FreshDatabase;
let engine: TestEngine;
let served: ServedEngine;
let schemas: Schemas;
let told: Told[];

const toldBy = (document: OpenAPIObject): Told[] => {
  const { signals } = resolved({ $ref: '#/components/schemas/SignalsBody' }, schemas).properties ?? {};
  const { discriminator } = resolved(resolved(signals ?? {}, schemas).items ?? {}, schemas);
  const { requestBody } = document.paths['/engine/signals']?.post ?? {};
  const { examples } = Object(Object(requestBody).content)['application/json'];
  return Object.entries(discriminator?.mapping ?? {}).map(([type, $ref]) => ({
    type,
    schema: resolved({ $ref }, schemas),
    example: { ...examples[type].value.signals[0], deposit_id: NOBODYS },
  }));
};

beforeAll(async () => {
  database = await freshDatabase(...engineTables);
  engine = await openTestEngine(database.url);
  served = await serveEngine({ takeSignals: engine.takeSignals, simulate: null });
  const document = (await (await fetch(`${served.url}/openapi.json`)).json()) as OpenAPIObject;
  schemas = document.components?.schemas ?? {};
  told = toldBy(document);
});

afterAll(async () => {
  await served.app.close();
  await engine.close();
  await database.drop();
});

let sent = 0;

const answersTo = async (signals: readonly Signal[]): Promise<string[]> => {
  const named = signals.map((signal) => {
    sent += 1;
    return { ...signal, signal_id: `told-${sent}` };
  });
  const response = await fetch(`${served.url}/engine/signals`, {
    method: 'POST',
    headers: { authorization: 'Bearer engine', 'content-type': 'application/json' },
    body: JSON.stringify({ signals: named }),
  });
  const { results } = (await response.json()) as { results: { detail: string }[] };
  return results.map(({ detail }) => detail);
};

describe('a signal written after the OpenAPI document', () => {
  it('is of one of the types of the interface', () => {
    expect(told.map(({ type }) => type)).toEqual([
      'payment.seen',
      'payment.confirmed',
      'payment.dropped',
      'payment.double_spent',
      'payment.reorged',
      'quote.expired',
      'guards.completed',
      'kyt.completed',
      'ofac.completed',
      'ofac.deadline_missed',
      'refund.broadcast',
      'refund.dropped',
      'settlement.included',
    ]);
  });

  it('is read, as every example is', async () => {
    const answers = await answersTo(told.map(({ example }) => example));
    expect(new Set(answers)).toEqual(new Set([READ]));
  });

  it('is told which of its fields nobody reads, by the way to each', async () => {
    const [seen = {}, ...others] = told.map(({ example }) => ({ ...example, signal_id: `told-${example.type}` }));
    const misspelt = { ...seen, replacable: true, deposit_id: NOBODYS };
    const post = async (body: object): Promise<string | null> => {
      const headers = { authorization: 'Bearer engine', 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${served.url}/engine/signals`, init)).headers.get('x-ignored-fields');
    };
    expect(await post({ signals: [seen, ...others] })).toBeNull();
    expect(await post({ signals: [...others, misspelt], batch: 1 })).toBe(`signals.${others.length}.replacable, batch`);
    expect(await post({ signals: [{ type: 'payment.guessed', x: 1 }, 'x', null] })).toBeNull();
  });

  it('is rejected without a field that is required', async () => {
    const lacking = told.flatMap(({ schema, example }) =>
      (schema.required ?? [])
        .filter((name) => name !== 'signal_id')
        .map((name) => ({ name, signal: Object.fromEntries(Object.entries(example).filter(([key]) => key !== name)) })),
    );
    expect(await answersTo(lacking.map(({ signal }) => signal))).toEqual(
      lacking.map(({ name }) => `${name} is missing`),
    );
  });

  it.each([
    ['text', 'x'],
    ['empty text', ''],
    ['text beyond ASCII', 'caf\u00e9'],
    ['long text', 'x'.repeat(501)],
    ['digits', '7'],
    ['a number below 0', -1],
    ['0', 0],
    ['a number', 7],
    ['a part of a number', 0.5],
    ['a number that has lost digits', 2 ** 53],
    ['a flag', true],
    ['an empty list', []],
    ['a list of text', ['x']],
    ['a list of numbers', [7]],
    ['a long list', Array(1001).fill('x')],
    ['an object', {}],
  ])('may have %s in a field exactly where its schema has it', async (_, value) => {
    const changed = told.flatMap(({ type, schema, example }) =>
      Object.keys(example)
        .filter((name) => name !== 'signal_id')
        .map((name) => ({ where: `${type} ${name}`, schema, signal: { ...example, [name]: value } })),
    );
    const answers = await answersTo(changed.map(({ signal }) => signal));
    const where = (holds: (one: (typeof changed)[number], nth: number) => boolean) =>
      changed.filter(holds).map((one) => one.where);
    expect(where((_, nth) => answers[nth] === READ)).toEqual(
      where(({ schema, signal }) => misfits(schema, signal, schemas).length === 0),
    );
  });
});
