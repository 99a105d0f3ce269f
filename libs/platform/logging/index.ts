export { createLog, type Log, type Logger, type LogOptions, silentLogger } from './logger.ts';
export { redact, redactText } from './redaction.ts';
export { currentRequestId, withRequestId } from './request-context.ts';
