import { Body, Controller, Get, Inject, Put, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Actor, OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { actorOf, type Operator } from '#partners';
import { KYC, type OperatedKyc } from './parts.ts';
import { KycServiceBody } from './player-bodies.ts';

@ApiTags('Operator: players')
@ApiBearerAuth('operator_token')
@Controller('operator/kyc-service')
@UseGuards(OperatorGuard)
export class KycServiceController {
  readonly #kyc: OperatedKyc;

  constructor(@Inject(KYC) kyc: OperatedKyc) {
    this.#kyc = kyc;
  }

  @Put()
  @Roles('admin', 'ops')
  @ApiOperation({ operationId: 'setKycService', summary: 'Takes identity verification out of service, or back in' })
  @ApiOkResponse({ type: KycServiceBody })
  @OperatorErrors()
  async set(@Body() { available }: KycServiceBody, @Actor() operator: Operator): Promise<KycServiceBody> {
    await this.#kyc.setServiceAvailable(available, actorOf(operator));
    return { available };
  }

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @ApiOperation({ operationId: 'kycService', summary: 'Whether identity verification is in service' })
  @ApiOkResponse({ type: KycServiceBody })
  @OperatorErrors()
  async get(): Promise<KycServiceBody> {
    return { available: await this.#kyc.isServiceAvailable() };
  }
}
