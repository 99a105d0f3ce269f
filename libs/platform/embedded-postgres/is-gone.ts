import { isNativeError } from 'node:util/types';

export const isGone = (error: unknown): boolean => isNativeError(error) && 'code' in error && error.code === 'ENOENT';
