import { httpErrors, type ShownError } from '../errors/index.ts';

export const MAX_DEPTH = 32;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Names that turn a careless copy of the value into a changed prototype. */
const forbiddenName = (container: object): string | undefined => {
  if (Object.hasOwn(container, '__proto__')) return '__proto__';
  const inherited: unknown = Object.hasOwn(container, 'constructor') && Reflect.get(container, 'constructor');
  return isContainer(inherited) && Object.hasOwn(inherited, 'prototype') ? 'constructor' : undefined;
};

/** What makes a parsed body unfit, whatever the endpoint. Level by level, so that depth costs no stack. */
const unfit = (root: unknown): ShownError | undefined => {
  let level = [root].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return httpErrors.tooDeep(MAX_DEPTH);
    for (const container of level) {
      const name = forbiddenName(container);
      if (name !== undefined) return httpErrors.forbiddenName(name);
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
  const parsed = parse(bytes);
  if (!parsed) return { refusal: httpErrors.malformedJson() };
  const refusal = unfit(parsed.value);
  return refusal ? { refusal } : parsed;
};
