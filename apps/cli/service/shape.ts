import { type KeptDocument, type Operation, plainField, readDocument } from '../operators/document.ts';

const placesIn = ({ path }: Operation): number => path.split('{').length;

const fits = (operation: Operation, method: string, path: string): boolean => {
  const [known, called] = [operation.path.split('/'), path.split('/')];
  const isSame = known.every((part, nth) => part.startsWith('{') || part === called[nth]);
  return operation.method === method && known.length === called.length && isSame;
};

const operationOf = ({ operations }: KeptDocument, method: string, path: string): Operation | undefined =>
  Object.values(operations)
    .filter((operation) => fits(operation, method, path))
    .toSorted((one, other) => placesIn(one) - placesIn(other))[0];

/** Whether an object has most of what the document promises of an answer: a release of before may know less of it. */
export const isShaped = (body: object, method: string, path: string): boolean => {
  const document = readDocument();
  const { answer } = operationOf(document, method, path) ?? {};
  const { required = [] } = answer === undefined ? {} : plainField(document.schemas[answer] ?? {}, document);
  const there = required.filter((name) => name in body);
  return required.length === 0 || there.length * 2 > required.length;
};
