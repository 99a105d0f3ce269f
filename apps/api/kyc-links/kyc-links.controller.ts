import {
  applyDecorators,
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Get,
  Headers,
  Inject,
  Injectable,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors, type ShownError, schemaMismatch } from '#door/errors';
import { SentWord, Text, Word } from '#door/fields';
import { addressOf, bringsUntypedBody, From, routesOf } from '#door/http';
import { ApiErrors, DescribedOpen, errorResponse } from '#door/openapi';
import { type RatesParts, useRateOfAddress } from '#door/rates';
import type { Kyc } from '#kyc';
import { wantsHtml } from './accepts.ts';
import { answerTo, type LinkAnswer, linkErrors } from './answers.ts';
import { pageOf } from './page.ts';

const KYC_LINKS = Symbol('kyc links');
const LINK_RATES = Symbol('rates of links');

type KycLinks = Pick<Kyc, 'disownLink' | 'lookAtLink' | 'takeLink'>;

class LinkBody {
  @Word(['open', 'kyc_pending', 'verified', 'disowned'], 'Where the player stands', 'kyc_pending')
  status!: string;

  @Text('For the player', 'Your identity verification is pending.')
  message!: string;
}

class LinkAnswerQuery {
  @SentWord.optional(['not_me'], 'The phone belongs to somebody else: the verification is refused', 'not_me')
  answer?: 'not_me';
}

const namesIn = (sent: unknown): string[] => Object.keys(sent ?? {});

/** Who says that it is not him, in a way that nobody reads, must not be taken for one who submits. */
const refuseUnreadAnswer = ({ query, body, raw }: FastifyRequest): void => {
  if (bringsUntypedBody(raw)) throw httpErrors.bodyUntyped();
  const unread = [...namesIn(query).filter((name) => name !== 'answer'), ...namesIn(body)];
  const answers = unread.filter((name) => /^answer\b/i.test(name));
  if (answers.length > 0)
    throw schemaMismatch(answers.map((name) => ({ path: [name], message: 'must be sent as ?answer=not_me' })));
};

const PAGE = { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>' } };

const CONTENT = { 'application/json': { schema: { $ref: getSchemaPath(LinkBody) } }, ...PAGE };

const refusedByPage = (status: number, ...errors: readonly ShownError[]) => {
  const { content, ...response } = errorResponse(status, errors);
  return ApiResponse({ status, ...response, content: { ...content, ...PAGE } });
};

/** The link is a secret: it is kept by no cache, told to no other site, and its page is shown in no frame. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

const reply = async (to: FastifyReply, answer: LinkAnswer, html: boolean): Promise<void> => {
  const [status, body] = 'refusal' in answer ? [answer.refusal.status, answer.refusal.body] : [200, answer.body];
  await to
    .code(status)
    .headers({ ...HEADERS, 'content-type': `${html ? 'text/html' : 'application/json'}; charset=utf-8` })
    .send(html ? pageOf(answer.page) : body);
};

const { unknown, used, expired, replaced } = linkErrors;

const LinkErrors = () =>
  applyDecorators(
    ApiErrors(httpErrors.tooManyCalls(42), httpErrors.crowded()),
    refusedByPage(404, unknown()),
    refusedByPage(410, used(), expired(), replaced()),
  );

/** Nobody shows a credential here: the address is all there is to count by. */
@Injectable()
class LinkRates implements CanActivate {
  @Inject(LINK_RATES) private readonly parts!: RatesParts;

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const from = addressOf(http.getRequest<FastifyRequest>());
    const most = this.parts.rates.linksPerAddress;
    await useRateOfAddress(this.parts, http.getResponse<FastifyReply>(), { of: 'links', from, most });
    return true;
  }
}

@ApiTags('Player links')
@ApiExtraModels(LinkBody)
@UseGuards(LinkRates)
@Controller('kyc')
class KycLinksController {
  @Inject(KYC_LINKS) private readonly kyc!: KycLinks;

  /** Changes nothing: whoever shows an SMS may open its links for a preview. */
  @Get(':token')
  @DescribedOpen(
    'showKycLink',
    'The page behind a link that a player got by SMS',
    'A refusal is a page too where the answer would be one.',
  )
  @ApiParam({ name: 'token', type: String, description: 'The secret of the link' })
  @ApiOkResponse({ description: 'A page, or this where JSON is asked for', content: CONTENT })
  @LinkErrors()
  async show(
    @Param('token') token: string,
    @Headers('accept') accept: string | undefined,
    @From() from: string,
    @Res() to: FastifyReply,
  ): Promise<void> {
    await reply(to, answerTo(await this.kyc.lookAtLink(token, from)), wantsHtml(accept, 'GET'));
  }

  @Post(':token')
  @DescribedOpen(
    'useKycLink',
    'Submits the verification, or confirms the account',
    'With `answer=not_me` whoever has the phone says not to be the player: the verification is refused. A refusal is a page too where the answer would be one.',
  )
  @ApiParam({ name: 'token', type: String, description: 'The secret of the link' })
  @ApiOkResponse({ description: 'This, or a page where HTML is asked for', content: CONTENT })
  @ApiErrors(httpErrors.bodyUntyped())
  @LinkErrors()
  async use(
    @Param('token') token: string,
    @Query() { answer }: LinkAnswerQuery,
    @Req() request: FastifyRequest,
    @From() from: string,
    @Res() to: FastifyReply,
  ): Promise<void> {
    refuseUnreadAnswer(request);
    const { disownLink, takeLink } = this.kyc;
    await reply(
      to,
      answerTo(await (answer === 'not_me' ? disownLink : takeLink)(token, from)),
      wantsHtml(request.headers.accept, 'POST'),
    );
  }
}

type KycLinksParts = { readonly kyc: KycLinks; readonly rates: RatesParts };

export const kycLinkRoutes = ({ kyc, rates }: KycLinksParts): DynamicModule =>
  routesOf([KycLinksController], { [KYC_LINKS]: kyc, [LINK_RATES]: rates });
