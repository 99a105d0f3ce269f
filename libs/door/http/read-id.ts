import type { ShownError } from '../errors/index.ts';

export type IdRefusals = { readonly invalidId: () => ShownError; readonly notFound: () => ShownError };

/** In the path of a request: "an id is ASCII digits only, else 400; digits beyond the range are 404." */
export const readId = (text: string, { invalidId, notFound }: IdRefusals): number => {
  if (!/^[0-9]+$/.test(text)) throw invalidId();
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw notFound();
  return id;
};
