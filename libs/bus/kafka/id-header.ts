import type { IHeaders } from 'kafkajs';

const ID = 'id';

export const headersFor = (id: string): IHeaders => ({ [ID]: id });

/** What another producer put there without an id has one by its place. */
export const idOf = (headers: IHeaders | undefined, place: string): string => {
  const value = headers?.[ID];
  const [first] = Array.isArray(value) ? value : [value];
  return first === undefined ? place : first.toString();
};
