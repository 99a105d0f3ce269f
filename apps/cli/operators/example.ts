import { type Field, type KeptDocument, type Operation, plainField } from './document.ts';
import type { Named } from './names.ts';

const inShell = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text}'`;
};

const PARAMETERS: Readonly<Record<string, string>> = {
  ticker: 'BTC',
  name: 'deposits',
  stream: 'deposit-1042',
  affiliate: '3',
  token: '5',
  entity_id: '41',
};

const sampleOf = (name: string, field: Field): unknown => {
  if (field.example !== undefined) return field.example;
  return field.enum?.[0] ?? (field.type === 'boolean' ? false : (PARAMETERS[name] ?? 'x'));
};

/** A line that can be pasted: with what has to be said, and its examples. */
export const exampleOf = (
  operation: Operation,
  { words, word, when, sends = {}, typed }: Named,
  document: KeptDocument,
): string => {
  const body = operation.body ? plainField(document.schemas[operation.body] ?? {}, document) : {};
  const path = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => PARAMETERS[name] ?? '41');
  const query = operation.parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name }) => (name === typed ? '1001' : `--${name.replaceAll('_', '-')} ${PARAMETERS[name] ?? '41'}`));
  const sent = (body.required ?? [])
    .filter((name) => !(name in sends))
    .map((name) => {
      const value = sampleOf(name, plainField(body.properties?.[name] ?? {}, document));
      return `--${name.replaceAll('_', '-')} ${inShell(value)}`;
    });
  const sure = word && !when ? ['--yes'] : [];
  return ['cointill', words.replace(/ list$/, ''), ...path, ...query, ...sent, ...sure].join(' ');
};
