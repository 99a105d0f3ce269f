import type { Proof } from '#audit';
import { usage } from '../parts/exit.ts';
import { readJson } from './files.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEvent = (value: unknown): boolean => isObject(value) && isObject(value.metadata);

const isStep = (value: unknown): boolean =>
  isObject(value) && typeof value.hash === 'string' && (value.side === 'left' || value.side === 'right');

const isListOf = (value: unknown, fits: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);

const isProof = (value: unknown): value is Proof =>
  isObject(value) &&
  isListOf(value.events, isEvent) &&
  isListOf(value.path, isStep) &&
  isObject(value.seal) &&
  typeof value.seal.signature === 'string';

/** Whatever else is in it is for the verification to judge. */
export const readProof = async (file: string): Promise<Proof> => {
  const proof = await readJson(file);
  if (!isProof(proof)) throw usage(`${file} is no proof: \`cointill audit prove\` writes one`);
  return proof;
};
