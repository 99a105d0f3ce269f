import canonicalize from 'canonicalize';

/** The bytes that are sent and signed: keys sorted at every level, no white space. */
export const bodyOf = (payload: object): string => {
  const body = canonicalize(payload);
  if (body === undefined) throw new TypeError('a payload is a JSON object');
  return body;
};
