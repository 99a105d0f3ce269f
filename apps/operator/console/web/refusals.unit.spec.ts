import { describe, expect, it } from '@jest/globals';
import { refusalIn } from './refusals.ts';

const issues = (...all: readonly object[]) => ({
  success: false,
  error: { name: 'ZodError', message: JSON.stringify(all) },
});

const MAYBE = ': it may have been done. Look before you do it again.';

describe('a refusal', () => {
  it.each([
    ['the service itself', { detail: 'Nothing withholds it', code: 'not_withheld' }, 'Nothing withholds it'],
    [
      'a schema',
      issues({ path: ['webhook', 'url'], message: 'Invalid url' }, { path: ['fees', 0], message: 'Required' }),
      'webhook.url: Invalid url; fees.0: Required',
    ],
    ['a whole body', issues({ path: [], message: 'Must be an object' }), 'Must be an object'],
    ['a proxy', undefined, `There was no answer of the service (502)${MAYBE}`],
    ['a proxy in JSON', { error: 'bad gateway' }, `There was no answer of the service (502)${MAYBE}`],
    ['a proxy in text', 'Bad gateway', `There was no answer of the service (502)${MAYBE}`],
  ])('of %s is told in plain words', (_, body, said) => {
    expect(refusalIn(502, body, true).message).toBe(said);
  });

  it('of what changes nothing says nothing of what may have been done', () => {
    expect(refusalIn(504, undefined, false).message).toBe('There was no answer of the service (504)');
  });
});
