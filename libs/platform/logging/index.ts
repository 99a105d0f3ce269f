export { createLog, type Log, type Logger, silentLogger } from './logger.ts';
export { redactText } from './redaction.ts';
export { currentRequestId, withRequestId } from './request-context.ts';
