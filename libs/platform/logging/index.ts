export { createLog, type Log, type Logger, silentLogger } from './logger.ts';
export { redactText } from './redaction.ts';
export {
  currentRequestId,
  noteOfRequest,
  notesOfRequest,
  type RequestNotes,
  withRequestId,
} from './request-context.ts';
