import { Body, Controller, Delete, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiCreatedResponse, ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  checkEncrypted,
  checkFromConsole,
  clearSessionCookie,
  knownOperator,
  sessionSecretOf,
  setSessionCookie,
} from '#door/access';
import { authenticationErrors, httpErrors, type ShownError, sessionErrors } from '#door/errors';
import { addressOf } from '#door/http';
import { ApiErrors, DescribedOpen } from '#door/openapi';
import type { Operator, Partners } from '#partners';
import { meOf } from './me.controller.ts';
import { MeBody, NewSessionBody } from './session-bodies.ts';

export const SESSIONS = Symbol('sessions of the console');

export type SessionParts = Pick<Partners, 'authenticateOperator' | 'sessions'>;

const SessionErrors = (...errors: readonly ShownError[]) =>
  ApiErrors(
    ...errors,
    ...[authenticationErrors.invalidToken(), authenticationErrors.tokenRevoked()],
    ...[authenticationErrors.insufficientPermissions(), sessionErrors.foreignRequest(), sessionErrors.notEncrypted()],
    httpErrors.crowded(),
  );

@ApiTags('Operator: console')
@Controller('console/session')
export class SessionController {
  @Inject(SESSIONS) private readonly parts!: SessionParts;
  @Inject(ModulesContainer) private readonly modules!: ModulesContainer;

  @Post()
  @DescribedOpen('beginSession', 'Sign in at the console: a token becomes a cookie')
  @ApiCreatedResponse({ type: MeBody })
  @SessionErrors()
  async begin(
    @Body() { token }: NewSessionBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MeBody> {
    checkFromConsole(request);
    checkEncrypted(request);
    const operator = await this.#ownerOf(token, addressOf(request));
    setSessionCookie(request, reply, await this.parts.sessions.begin(operator));
    return meOf(operator, this.modules);
  }

  @Post('confirmation')
  @HttpCode(204)
  @DescribedOpen('confirmSession', 'Show the token again, for what is dangerous')
  @ApiNoContentResponse()
  @SessionErrors(authenticationErrors.missing(), sessionErrors.otherToken())
  async confirm(@Body() { token }: NewSessionBody, @Req() request: FastifyRequest): Promise<void> {
    const secret = sessionSecretOf(request);
    if (secret === undefined) throw authenticationErrors.missing();
    const from = addressOf(request);
    const here = knownOperator(await this.parts.authenticateOperator({ session: secret }, from));
    if ((await this.#ownerOf(token, from)).id !== here.id) throw sessionErrors.otherToken();
    await this.parts.sessions.confirm(secret);
  }

  @Delete()
  @HttpCode(204)
  @DescribedOpen('endSession', 'Sign out')
  @ApiNoContentResponse()
  @SessionErrors()
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const secret = sessionSecretOf(request);
    if (secret !== undefined) await this.parts.sessions.end(secret, addressOf(request));
    clearSessionCookie(request, reply);
  }

  /** Engines have nothing to look at. */
  async #ownerOf(token: string, from: string): Promise<Operator> {
    const operator = knownOperator(await this.parts.authenticateOperator(`Bearer ${token}`, from));
    if (operator.role === 'engine') throw authenticationErrors.insufficientPermissions();
    return operator;
  }
}
