import { Body, Get, Inject, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Actor, OperatorRoutes, Roles } from '#door/access';
import { Described } from '#door/openapi';
import { actorOf, type Operator } from '#partners';
import { KYC, type OperatedKyc } from './parts.ts';
import { KycServiceBody } from './player-bodies.ts';

@OperatorRoutes('operator/kyc-service', 'Operator: players')
export class KycServiceController {
  @Inject(KYC) private readonly kyc!: OperatedKyc;

  @Put()
  @Roles('admin', 'ops')
  @Described('setKycService', 'Takes identity verification out of service, or back in')
  @ApiOkResponse({ type: KycServiceBody })
  async set(@Body() { available }: KycServiceBody, @Actor() operator: Operator): Promise<KycServiceBody> {
    await this.kyc.setServiceAvailable(available, actorOf(operator));
    return { available };
  }

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('kycService', 'Whether identity verification is in service')
  @ApiOkResponse({ type: KycServiceBody })
  async get(): Promise<KycServiceBody> {
    return { available: await this.kyc.isServiceAvailable() };
  }
}
