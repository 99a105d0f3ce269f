import { httpErrors, type ShownError } from '../errors/index.ts';
import { MAX_DEPTH, MAX_NAMES, MAX_PARTS } from './json-limits.ts';
import { unfitText } from './json-text.ts';

export const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Names that turn a careless copy of the value into a changed prototype. */
const forbiddenName = (container: object): string | undefined => {
  if (Object.hasOwn(container, '__proto__')) return '__proto__';
  const inherited: unknown = Object.hasOwn(container, 'constructor') && Reflect.get(container, 'constructor');
  return isContainer(inherited) && Object.hasOwn(inherited, 'prototype') ? 'constructor' : undefined;
};

const unfitContainer = (container: object): ShownError | undefined => {
  const name = forbiddenName(container);
  if (name !== undefined) return httpErrors.forbiddenName(name);
  const names = Array.isArray(container) ? 0 : Object.keys(container).length;
  return names > MAX_NAMES ? httpErrors.tooManyNames(MAX_NAMES) : undefined;
};

/** What makes a parsed body unfit, whatever the endpoint. Level by level, so that depth costs no stack. */
const unfit = (root: unknown): ShownError | undefined => {
  let [level, parts] = [[root].filter(isContainer), 0];
  for (let depth = 1; level.length > 0; depth += 1) {
    parts += level.length;
    if (depth > MAX_DEPTH) return httpErrors.tooDeep(MAX_DEPTH);
    if (parts > MAX_PARTS) return httpErrors.tooManyParts(MAX_PARTS);
    for (const container of level) {
      const refusal = unfitContainer(container);
      if (refusal) return refusal;
    }
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return undefined;
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

const parse = (bytes: Buffer): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return undefined;
  }
};

export type ParsedJson = { readonly value: unknown } | { readonly refusal: ShownError };

export const parseJson = (bytes: Buffer): ParsedJson => {
  const tooMuch = unfitText(bytes);
  if (tooMuch) return { refusal: tooMuch };
  const parsed = parse(bytes);
  if (!parsed) return { refusal: httpErrors.malformedJson() };
  const refusal = unfit(parsed.value);
  return refusal ? { refusal } : parsed;
};
