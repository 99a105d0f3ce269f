import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiExtension, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { paymentUri } from '#addresses';
import { orFailed } from '#door/answers';
import { httpErrors, legacyErrors } from '#door/errors';
import { From, OnlyReads, ReadsBody } from '#door/http';
import { DescribedOpen, OWN_MISFIT, OWN_UNREADABLE } from '#door/openapi';
import { transactionView } from '#legacy-transactions';
import { fromJsonNumber, type LegacyCurrency, toText } from '#money';
import type { AccessToken } from '#partners';
import { qrCode } from '#platform/qr-code';
import { callerIn, cancelled, created } from './answers.ts';
import { CancelledBody, CreatedTransactionBody, TransactionBody } from './legacy-answers.ts';
import { CreateTransactionBody, TransactionIdBody } from './legacy-bodies.ts';
import { cryptosOf } from './offer.ts';
import { LEGACY_ROUTES, type LegacyRoutesParts } from './parts.ts';
import { CancelErrors, CheckErrors, CreateErrors } from './route-errors.ts';

const actorOf = ({ id }: AccessToken): string => `access token ${id}`;

@ApiTags('Legacy transactions')
@Controller()
export class LegacyTransactionsController {
  @Inject(LEGACY_ROUTES) private readonly parts!: LegacyRoutesParts;

  @Post('create_transaction')
  @HttpCode(200)
  @DescribedOpen(
    'createTransaction',
    'Ask for a payment',
    'It waits for 15 minutes. Money that comes later is taken, and looked at by an operator.',
  )
  @ApiOkResponse({ type: CreatedTransactionBody })
  @ApiExtension(OWN_MISFIT, 401)
  @CreateErrors()
  async create(@Body() body: CreateTransactionBody, @From() from: string): Promise<CreatedTransactionBody> {
    const { email, label } = body;
    const caller = await this.#caller(body.access_token, from);
    const currency = await this.#currency(caller, body.crypto_selected);
    const amount = fromJsonNumber(body.amount);
    if (!amount) throw legacyErrors.wrongItem('amount');
    const { affiliateId } = caller;
    const asked = { affiliateId, currency, usdAmount: toText(amount), label, email, actor: actorOf(caller) };
    const { transaction } = created(await orFailed(this.parts.commands.create(asked), legacyErrors.failed));
    const { wallet, cryptoAmount } = transaction.terms;
    return { ...transactionView(transaction), email, qr_code: qrCode(paymentUri(currency, wallet, cryptoAmount)) };
  }

  @Post('check_transaction')
  @OnlyReads()
  @HttpCode(200)
  @DescribedOpen(
    'checkTransaction',
    'Read a transaction',
    'Always shows the effect of every call that was answered before.',
  )
  @ApiOkResponse({ type: TransactionBody })
  @ApiExtension(OWN_MISFIT, 401)
  @CheckErrors()
  async check(
    @Body() { access_token, transaction_id }: TransactionIdBody,
    @From() from: string,
  ): Promise<TransactionBody> {
    const { affiliateId } = await this.#caller(access_token, from);
    const known = Number.isSafeInteger(transaction_id) ? await this.parts.transactions.byId(transaction_id) : undefined;
    if (known?.affiliateId !== affiliateId) throw legacyErrors.notFound();
    return known.view;
  }

  @Post('cancel_transaction')
  @HttpCode(200)
  @ReadsBody({ unreadable: legacyErrors.unreadable })
  @DescribedOpen(
    'cancelTransaction',
    'Give a transaction up',
    'While it waits: not when money was seen, or when it timed out.',
  )
  @ApiOkResponse({ type: CancelledBody })
  @ApiExtension(OWN_MISFIT, 401)
  @ApiExtension(OWN_UNREADABLE, 401)
  @CancelErrors()
  async cancel(
    @Body() { access_token, transaction_id }: TransactionIdBody,
    @From() from: string,
  ): Promise<CancelledBody> {
    const caller = await this.#caller(access_token, from);
    if (!Number.isSafeInteger(transaction_id)) throw legacyErrors.notFound();
    const { affiliateId, familyId } = caller;
    const { commands, tokens } = this.parts;
    const asked = { transactionId: transaction_id, affiliateId, actor: actorOf(caller) };
    const { transaction } = cancelled(await commands.cancel(asked));
    const { status } = transaction.standing;
    // It is recorded: whatever fails from here on, nobody is told to try again.
    const refresh_token = await orFailed(tokens.mintRefreshToken(familyId), httpErrors.unexpected);
    return { transaction_id, status, refresh_token };
  }

  async #caller(token: string, from: string): Promise<AccessToken> {
    return callerIn(await this.parts.tokens.authenticate(token, from));
  }

  async #currency(caller: AccessToken, word: string): Promise<LegacyCurrency> {
    const offered = await cryptosOf(caller, this.parts.isEnabled);
    const currency = offered.find((each) => each === word);
    if (currency === undefined) throw legacyErrors.wrongItem('crypto_selected');
    return currency;
  }
}
