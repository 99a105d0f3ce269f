import type { Partners } from '#partners';

/** Names under which the modules get what the apps compose. */
export const AUTHENTICATE = Symbol('authenticate');
export const DESCRIBE_KEY = Symbol('describe key');

export type DescribeKey = Partners['describeKey'];
