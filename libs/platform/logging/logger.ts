import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino';
import { redact, redactText } from './redaction.ts';
import { currentRequestId } from './request-context.ts';
import { terminalStream } from './terminal.ts';

/** What the rest of the house needs of a logger; fields first, then the sentence. */
export type Logger = Pick<PinoLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'>;

export type Log = {
  readonly logger: Logger;
  /** Everything logged so far is out when it returns. */
  readonly flush: () => void;
};

export type LogOptions = { readonly level: string; readonly to?: DestinationStream };

const standardOutput = (): { stream: DestinationStream; flush: () => void } => {
  if (process.stdout.isTTY) return { stream: terminalStream(process.stdout), flush: () => undefined };
  const stream = destination({ dest: 1, sync: false });
  return { stream, flush: () => stream.flushSync() };
};

const redactArguments = (values: unknown[]): unknown[] =>
  values.map((value) => (typeof value === 'string' ? redactText(value) : value));

/** JSON lines on standard output (short lines on a terminal), with the request's id on each and secrets hidden. */
export const createLog = ({ level, to }: LogOptions): Log => {
  const { stream, flush } = to ? { stream: to, flush: () => undefined } : standardOutput();
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: () => {
        const requestId = currentRequestId();
        return requestId === undefined ? {} : { request_id: requestId };
      },
      formatters: { log: (fields) => redact(fields) as Record<string, unknown> },
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(values, method) {
          method.apply(this, redactArguments(values) as Parameters<typeof method>);
        },
      },
    },
    stream,
  );
  return { logger, flush };
};

/** For tests and tools that want no lines at all. */
export const silentLogger: Logger = pino({ level: 'silent' });
