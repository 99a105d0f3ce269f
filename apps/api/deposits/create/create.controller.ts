import { Body, Controller, HttpCode, Inject, Post, Req, Res, type Type, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiExtraModels, ApiHeader, ApiResponse, ApiSecurity, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CreateRequest } from '#deposit-commands';
import { CreateDeposit } from '#deposit-commands/cqrs';
import { createdView, echoedIn } from '#deposits';
import { orFailed } from '#door/answers';
import { createDepositErrors, schemaMismatch, scopeErrors } from '#door/errors';
import { addressOf } from '#door/http';
import { Described } from '#door/openapi';
import { ratesOn, useRates } from '#door/rates';
import { isPhoneNumber } from '#kyc';
import type { ApiKey } from '#partners';
import { Caller } from '../../caller.ts';
import { enabledCasinoIn } from '../../casino.ts';
import { CasinoKeyGuard } from '../../casino-key.guard.ts';
import { actorOf, DEPOSIT_ROUTES, type DepositRoutesParts } from '../parts.ts';
import { isNotVerified, made } from './answers.ts';
import { checkedAmount } from './checked-amount.ts';
import { CreateDepositBody } from './create-body.ts';
import { CreateDepositErrors } from './create-errors.ts';
import { CreatedBody, KycPendingBody, KycRequiredBody } from './created-body.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

const checkedPhone = (phone: string, check: DepositRoutesParts['phoneCheck']): string => {
  if (check === 'strict' && !isPhoneNumber(phone))
    throw schemaMismatch([
      { path: ['phone'], message: 'must be a telephone number with its country, like +46700000001' },
    ]);
  return phone;
};

const createsOf = ({ rates: { rates } }: DepositRoutesParts, { caller, entityId }: CreateRequest, address: string) =>
  ratesOn([
    { policy: 'key', subject: `creates by key ${caller.id}`, most: rates.createsPerKey },
    { policy: 'casino', subject: `creates at casino ${entityId}`, most: rates.createsPerCasino },
    { policy: 'address', subject: `creates from ${address}`, most: rates.createsPerAddress },
  ]);

type Asked = { readonly caller: ApiKey; readonly key: string | null } & Pick<DepositRoutesParts, 'phoneCheck'>;

const requestOf = (body: CreateDepositBody, { caller, key, phoneCheck }: Asked): CreateRequest => {
  const amountIsCrypto = body.amount_is_crypto ?? false;
  return {
    caller,
    key,
    actor: actorOf(caller),
    entityId: body.entity_id,
    currency: body.currency,
    gamblerRef: body.gambler_ref,
    ...echoedIn(body),
    phone: checkedPhone(body.phone, phoneCheck),
    email: body.email ?? null,
    amount: checkedAmount(body.amount, amountIsCrypto),
    amountIsCrypto,
    noConf: body.no_conf ?? false,
    instant: body.instant ?? false,
  };
};

const byStatus = (bodies: Readonly<Record<string, Type<object>>>) => {
  const paths = Object.entries(bodies).map(([status, body]) => [status, getSchemaPath(body)] as const);
  return {
    oneOf: paths.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'status', mapping: Object.fromEntries(paths) },
  };
};

@ApiTags('Deposits')
@ApiSecurity('api_key')
@Controller('casino')
export class CreateDepositController {
  @Inject(CommandBus) private readonly commands!: CommandBus;
  @Inject(DEPOSIT_ROUTES) private readonly parts!: DepositRoutesParts;

  @Post('deposit_address')
  @HttpCode(200)
  @UseGuards(CasinoKeyGuard)
  @Described(
    'createDeposit',
    'Issue an address and an exact price',
    'Checks the identity of the player first. Branch on `status`: only `ok` made a deposit. Send an `Idempotency-Key` to repeat a call safely.',
  )
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'Printable ASCII. For 24 hours the same key and body give the same deposit; the key with another body is refused',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    example: 'order-4711',
  })
  @ApiBody({ type: CreateDepositBody })
  @ApiExtraModels(CreatedBody, KycRequiredBody, KycPendingBody)
  @ApiResponse({
    status: 200,
    description: 'The quote, or the news that the player has to be verified first',
    content: {
      'application/json': {
        schema: byStatus({ ok: CreatedBody, kyc_required: KycRequiredBody, kyc_pending: KycPendingBody }),
      },
    },
  })
  @CreateDepositErrors()
  async create(
    @Body() body: CreateDepositBody,
    @Caller() caller: ApiKey,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    // Without the JSON content type the body is empty and its check was skipped: then there is no such casino.
    if (body.entity_id === undefined) throw scopeErrors.entityNotFound();
    const asked = requestOf(body, { caller, key: idempotencyKeyOf(request), phoneCheck: this.parts.phoneCheck });
    enabledCasinoIn(await this.parts.casinoFor(caller, asked.entityId));
    await useRates(this.parts.rates, reply, createsOf(this.parts, asked, addressOf(request)));
    const outcome = await orFailed(this.commands.execute(new CreateDeposit(asked)), createDepositErrors.failed);
    if (isNotVerified(outcome)) return { status: outcome.outcome, message: outcome.message };
    const answer = createdView(made(outcome).deposit);
    if (answer === null) throw createDepositErrors.failed();
    return answer;
  }
}
