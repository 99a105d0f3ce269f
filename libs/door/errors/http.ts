import { RETRY_AFTER_SECONDS, ShownError, shown } from './shown-error.ts';

/** What can be wrong with a request before anybody looks at what it asks. */
export const httpErrors = {
  malformedJson: () => shown(400, 'Malformed JSON in request body', { code: 'json_malformed' }),
  malformedUrl: () => shown(400, 'Malformed URL', { code: 'url_malformed' }),
  malformedHttp: () => shown(400, 'Malformed HTTP request', { code: 'http_malformed' }),
  forbiddenName: (name: string) =>
    shown(400, `A JSON body may not use the name '${name}'`, { code: 'json_name_forbidden' }),
  tooDeep: (levels: number) =>
    shown(400, `JSON body is nested too deeply: more than ${levels} levels`, { code: 'json_too_deep' }),
  tooManyNames: (most: number) =>
    shown(400, `A JSON object has too many names: more than ${most}`, { code: 'json_too_many_names' }),
  tooManyParts: (most: number) =>
    shown(400, `A JSON body has too many objects and lists: more than ${most}`, { code: 'json_too_many_parts' }),
  bodyTooLarge: (limit: number) =>
    shown(413, `Request body is too large: more than ${limit} bytes`, { code: 'body_too_large' }),
  bodyCutShort: () => shown(400, 'Request body ended early', { code: 'body_cut_short' }),
  bodyInCrumbs: (most: number) =>
    shown(400, `Request body comes in too many pieces: ${most} or more`, { code: 'body_in_too_many_pieces' }),
  transferUnsupported: (codings: string) =>
    shown(400, `Transfer-Encoding '${codings}' is not supported: chunked is`, {
      code: 'transfer_encoding_unsupported',
    }),
  encodingUnsupported: (encoding: string) =>
    shown(415, `Content-Encoding '${encoding}' is not supported`, { code: 'content_encoding_unsupported' }),
  bodyUntyped: () =>
    shown(415, 'The body was not read: send it with Content-Type: application/json', {
      code: 'content_type_unsupported',
    }),
  expectationFailed: () =>
    shown(417, 'The Expect header asks for what this server does not do', { code: 'expectation_unsupported' }),
  timedOut: () => shown(408, 'The request did not arrive in time', { code: 'request_timed_out' }),
  headersTooLarge: () => shown(431, 'Request headers are too large', { code: 'headers_too_large' }),
  /** An unknown path, or a known one with the wrong method: plain text. */
  notFound: () => new ShownError(404, 'Not Found', '404 Not Found', { 'content-type': 'text/plain; charset=utf-8' }),
  tooManyCalls: (seconds: number) =>
    shown(
      429,
      `Too many calls. Try again in ${seconds} seconds.`,
      { code: 'too_many_calls' },
      { 'retry-after': String(seconds) },
    ),
  /** Where nothing is said to be recorded or not: what only reads, and what was not even asked. */
  databaseAway: () =>
    shown(503, `The database does not answer: try again in ${RETRY_AFTER_SECONDS} seconds`, {
      code: 'database_unavailable',
    }),
  crowded: () =>
    shown(503, `Too many calls wait for the same: nothing was done, try again in ${RETRY_AFTER_SECONDS} seconds`, {
      code: 'too_many_wait',
    }),
  noRoomForBody: () =>
    shown(503, `Too many large bodies are on their way: try again in ${RETRY_AFTER_SECONDS} seconds`, {
      code: 'no_room_for_body',
    }),
  unexpected: () => shown(500, 'Internal server error'),
} as const;
