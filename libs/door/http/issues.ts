import type { ValidationError } from 'class-validator';
import type { Issue } from '../errors/index.ts';

const segment = ({ target, property }: ValidationError): string | number =>
  Array.isArray(target) || target instanceof Set ? Number(property) : property;

const lowerFirst = (error: ValidationError, message: string): string =>
  message.startsWith(`${error.property} `) ? message.slice(error.property.length + 1) : message;

const issuesOf = (error: ValidationError, path: Issue['path']): Issue[] => {
  const here = [...path, segment(error)];
  const own = Object.values(error.constraints ?? {}).map((message) => ({
    path: here,
    message: error.value === undefined ? 'Required' : lowerFirst(error, message),
  }));
  return [...own.slice(0, 1), ...(error.children ?? []).flatMap((child) => issuesOf(child, here))];
};

/** One issue for each wrong field, with the way to it. */
export const issuesIn = (errors: readonly ValidationError[]): Issue[] => errors.flatMap((error) => issuesOf(error, []));
