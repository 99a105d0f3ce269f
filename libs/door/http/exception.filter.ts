import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NumbersUnavailable } from '#deposit-commands';
import { isUnbegun } from '#event-log';
import { Crowded } from '#platform/gate';
import { type Logger, noteOfRequest } from '#platform/logging';
import { isAway, isUndone } from '#platform/postgres';
import { reasonOf } from '#platform/reason';
import { commandErrors, httpErrors, readErrors, ShownError, shown } from '../errors/index.ts';
import { createFailedCredentials } from './failed-credentials.ts';
import { onlyReads } from './only-reads.ts';

/** Errors of the framework that the caller caused; their own texts are not ours to promise. */
const frameworkStatus = (error: unknown): number | undefined => {
  if (error instanceof HttpException) return error.getStatus();
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
};

/** Our own 403s are in the catalogue: this one is the file server's, for dots and NULs under the docs page. */
const NO_PATH_OF_THE_DOCS = 403;

/** What a call needed, and could not have now. */
const awayAs = (error: unknown, request: FastifyRequest): ShownError | undefined => {
  if (isUnbegun(error)) return readErrors.logAway();
  if (error instanceof NumbersUnavailable) return commandErrors.numbersUnavailable();
  if (error instanceof Crowded) return httpErrors.crowded();
  return isUndone(error) || (onlyReads(request) && isAway(error)) ? httpErrors.databaseAway() : undefined;
};

const shownAs = (error: unknown, request: FastifyRequest): ShownError | undefined => {
  if (error instanceof ShownError) return error;
  const away = awayAs(error, request);
  if (away) return away;
  const status = frameworkStatus(error);
  if (status === 404 || status === NO_PATH_OF_THE_DOCS) return httpErrors.notFound();
  return status !== undefined && status >= 400 && status < 500
    ? shown(status, STATUS_CODES[status] ?? 'Bad Request')
    : undefined;
};

/** Renders the catalogue; what is our fault is told in full to the log and not at all to the caller. */
@Catch()
export class ShownErrorFilter implements ExceptionFilter {
  readonly #logger: Logger;
  readonly #failed = createFailedCredentials();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const visible = shownAs(error, request);
    const cause = visible ? visible.cause : error;
    if (!visible || cause !== undefined) this.#logger.error({ err: cause }, 'a request failed unexpectedly');
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    const { status, headers, body } = visible ?? httpErrors.unexpected();
    if (status >= 500) noteOfRequest({ reason: reasonOf(cause ?? error) });
    const send = () => void reply.code(status).headers(headers).send(body);
    // Nobody waits for what comes of this: an error in it would end the process.
    const sendLate = (fault: unknown) => {
      this.#logger.error({ err: fault }, 'a refusal was not held back');
      send();
    };
    if (status === 401) void this.#failed.hold(request, reply).then(send, sendLate);
    else send();
  }
}
