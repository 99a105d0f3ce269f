import type { OpenAPIObject } from '@nestjs/swagger';

type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

/** What answers carry beside their bodies, told once. */
export const answerHeaders = {
  'X-Request-ID': {
    description: 'The printable one that was sent, else a UUID. Name it when you report a problem',
    required: true,
    schema: { type: 'string' },
    example: '0190a5d2-7c1e-4b7e-9a53-2f6d1c0b8e44',
  },
  'X-Ignored-Fields': {
    description:
      'Names that were sent and mean nothing here: of the body (`fees.0.kind` for nested ones) and of the query. At most 20, of at most 64 characters; `...` where there are more, `?` for other characters than letters, digits, `_`, `-` and `.`',
    schema: { type: 'string', pattern: '^[\\w.?-]{1,64}(, [\\w.?-]{1,64})*$' },
    example: 'amount_in_crypto',
  },
  'X-Ignored-Body': {
    description: 'Why the body that was sent was taken for an empty one, in words',
    schema: { type: 'string' },
    example: 'its Content-Type is not application/json',
  },
  'X-RateLimit-Limit': {
    description: 'Calls in a window of 60 seconds. On every answer to an admin key of a partner in business',
    schema: { type: 'integer' },
    example: 10,
  },
  'X-RateLimit-Remaining': {
    description: 'Calls that are left in the window',
    schema: { type: 'integer', minimum: 0 },
    example: 7,
  },
  'X-RateLimit-Reset': {
    description: 'End of the window, in Unix seconds',
    schema: { type: 'integer' },
    example: 1767225660,
  },
  RateLimit: {
    description: 'Of each limit that is set: calls that are left, and in how many seconds it begins anew',
    schema: { type: 'string' },
    example: '"key";r=7;t=42',
  },
  'RateLimit-Policy': {
    description: 'Each limit that is set: calls, and in how many seconds',
    schema: { type: 'string' },
    example: '"key";q=100;w=60',
  },
  'Retry-After': {
    description: 'Whole seconds until a call has a chance again',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
} as const satisfies Headers;

type HeaderName = keyof typeof answerHeaders;

export const headerRef = (name: HeaderName): { readonly $ref: string } => ({ $ref: `#/components/headers/${name}` });

export const headerRefs = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, headerRef(name)]));
