import { isNativeError } from 'node:util/types';
import type { LoggerService } from '@nestjs/common';
import type { Logger } from '#platform/logging';

const contextOf = (rest: readonly unknown[]): { context?: string } => {
  const last = rest.at(-1);
  return typeof last === 'string' ? { context: last } : {};
};

const errorOf = (message: unknown): { err?: unknown } => (isNativeError(message) ? { err: message } : {});

const sentenceOf = (message: unknown): string => (isNativeError(message) ? message.message : String(message));

/** What the framework says goes through our log; its progress reports are for debugging. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message, ...rest) => logger.debug(contextOf(rest), sentenceOf(message)),
  debug: (message, ...rest) => logger.debug(contextOf(rest), sentenceOf(message)),
  verbose: (message, ...rest) => logger.trace(contextOf(rest), sentenceOf(message)),
  warn: (message, ...rest) => logger.warn({ ...contextOf(rest), ...errorOf(message) }, sentenceOf(message)),
  error: (message, ...rest) => logger.error({ ...contextOf(rest), ...errorOf(message) }, sentenceOf(message)),
  fatal: (message, ...rest) => logger.fatal({ ...contextOf(rest), ...errorOf(message) }, sentenceOf(message)),
});
