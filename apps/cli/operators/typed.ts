import { usage } from '../parts/exit.ts';
import type { Field } from './document.ts';

const typesOf = ({ type, anyOf }: Field): string[] => [...[type ?? []].flat(), ...(anyOf ?? []).flatMap(typesOf)];

const ofJson = (option: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${option} is given as JSON, and this is none: ${text}`);
  }
};

const isPlain = (field: Field): boolean =>
  typesOf(field).some((type) => ['string', 'number', 'integer'].includes(type));

const truth = (option: string, text: string): boolean => {
  if (text !== 'true' && text !== 'false') throw usage(`${option} is true or false, not '${text}'`);
  return text === 'true';
};

const number = (option: string, text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw usage(`${option} is a number, not '${text}'`);
  return value;
};

/** What was typed for a field, as the service wants it sent; `field` stands without references, `whole` as it was. */
export const typed = (option: string, text: string, field: Field, whole: Field = field): unknown => {
  const types = [...typesOf(field), ...typesOf(whole)];
  const { items = {} } = field;
  if (text === 'null' && types.includes('null')) return null;
  if (types.includes('boolean')) return truth(option, text);
  if (types.includes('number') || types.includes('integer')) return number(option, text);
  if (types.includes('array') && isPlain(items) && !text.startsWith('['))
    return text.split(',').map((each) => typed(option, each, items));
  return types.includes('string') ? text : ofJson(option, text);
};

/** How the value of a field is called in the help. */
export const placeholder = (field: Field): string => {
  const [type = 'json'] = typesOf(field).filter((each) => each !== 'null');
  if (type === 'boolean') return 'true|false';
  if (type === 'array') return isPlain(field.items ?? {}) ? 'a,b' : 'json';
  return { string: 'text', number: 'number', integer: 'number' }[type] ?? 'json';
};

export const toldOf = ({ description = '', enum: words }: Field): string =>
  words ? `${description} (${words.filter((word) => word !== null).join(', ')})` : description;
