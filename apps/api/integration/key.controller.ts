import { Controller, type DynamicModule, Get, Inject, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { authenticationErrors, httpErrors, integrationErrors } from '#door/errors';
import { ApiErrors, Described } from '#door/openapi';
import type { ApiKey, KeyDescription, Partners } from '#partners';
import { Caller } from '../caller.ts';
import { CasinoKeyGuard, RefusesBearer } from '../casino-key.guard.ts';
import { type KeyedPartners, keyedRoutes } from '../parts.ts';
import { KeyDescriptionBody } from './key-description-body.ts';

const DESCRIBE_KEY = Symbol('describe key');

@ApiTags('Integration')
@ApiSecurity('api_key')
@Controller('casino/integration')
class KeyController {
  @Inject(DESCRIBE_KEY) private readonly describeKey!: Partners['describeKey'];

  @Get('key')
  @UseGuards(CasinoKeyGuard)
  @RefusesBearer()
  @Described(
    'describeKey',
    'What the calling key may do',
    'The key, its partner account, and every casino it can act on. Secrets are never returned.',
  )
  @ApiOkResponse({ type: KeyDescriptionBody })
  @ApiErrors(
    ...Object.values(authenticationErrors).map((error) => error()),
    ...[integrationErrors.needsApiKey(), integrationErrors.keyNotFound(), httpErrors.crowded()],
  )
  async describe(@Caller() caller: ApiKey): Promise<KeyDescription> {
    const description = await this.describeKey(caller.id);
    if (!description) throw integrationErrors.keyNotFound();
    return description;
  }
}

type Parts = { readonly partners: KeyedPartners & Pick<Partners, 'describeKey'> };

export const keyRoutes = ({ partners }: Parts): DynamicModule =>
  keyedRoutes(partners, [KeyController], { [DESCRIBE_KEY]: partners.describeKey });
