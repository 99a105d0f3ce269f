import { Body, Delete, type DynamicModule, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, CheckDanger, type DangerCheck, Dangerous, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { answersTo, appliedOr } from '#door/answers';
import { commandErrors, legacyErrors, readErrors } from '#door/errors';
import { readId, routesOf } from '#door/http';
import { listed } from '#door/lists';
import { Described } from '#door/openapi';
import type { EventLog } from '#event-log';
import type { WaitingTransactionKind } from '#inbox';
import {
  type LegacyCommands,
  loadTransaction,
  type SettleTransactionOutcome,
  transactionStream,
} from '#legacy-commands';
import { amountNow, refusalOfSettle, type SettleRefusal } from '#legacy-transactions';
import { wireNumberOf } from '#money';
import { actorOf, type Operator } from '#partners';
import type { TransactionReads } from '#read-models/legacy-transactions';
import { EventsBody } from '../history/event-body.ts';
import { EventsQuery, historyOf } from '../history/history.ts';
import { shownOnceRecorded } from '../http/recorded.ts';
import { datedWhere } from '../http/stale.ts';
import {
  filtersIn,
  OperatorTransactionBody,
  SettleBody,
  TransactionsBody,
  TransactionsQuery,
} from './transaction-bodies.ts';

/** What operators' routes about the older transactions need. */
type OperatorTransactionsParts = {
  readonly commands: Pick<LegacyCommands, 'settle' | 'eraseEmail'>;
  readonly transactions: Pick<TransactionReads, 'page' | 'movedAt'>;
  readonly log: Pick<EventLog, 'read'>;
  readonly waiting: (kind: WaitingTransactionKind) => Promise<readonly number[]>;
};

const OPERATOR_TRANSACTIONS = Symbol('operator transactions');

const idIn = (text: string): number =>
  readId(text, { invalidId: legacyErrors.invalidId, notFound: legacyErrors.notFound });

const settleRefused = answersTo<SettleRefusal>({
  wrong_status: ({ status }) => legacyErrors.notToSettle(status),
  crypto_stands_otherwise: ({ confirmedCrypto, named }) => legacyErrors.cryptoStandsOtherwise(confirmedCrypto, named),
});

const settled = appliedOr<SettleTransactionOutcome>({
  not_found: legacyErrors.notFound,
  busy: commandErrors.tooManyCalls,
  refused: ({ refusal }) => settleRefused(refusal),
});

type Settle = { readonly transactionId: number; readonly named: number | null };

/** What is there of it, as operators read it; null: nothing. Nobody is asked to let through what would be refused then. */
const toSettle = async (log: Pick<EventLog, 'read'>, { transactionId, named }: Settle): Promise<number | null> => {
  const { state } = await loadTransaction(log, transactionId);
  if (state.stage === 'none') throw legacyErrors.notFound();
  const refusal = refusalOfSettle(state, named);
  if (refusal) throw settleRefused(refusal);
  const stands = amountNow(state);
  return stands === null ? null : wireNumberOf(stands);
};

@OperatorRoutes('operator/transactions', 'Operator: legacy transactions', 'admin', 'ops')
class OperatorTransactionsController {
  @Inject(OPERATOR_TRANSACTIONS) private readonly parts!: OperatorTransactionsParts;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('pageTransactions', 'Legacy transactions of all affiliates, newest first')
  @ApiOkResponse({ type: TransactionsBody })
  @OperatorErrors(readErrors.listBehind())
  async page(@Query() query: TransactionsQuery): Promise<TransactionsBody> {
    const { transactions, waiting } = this.parts;
    const kind = query.waiting;
    const filters = { ...filtersIn(query), ...(kind && { among: () => waiting(kind) }) };
    const dated = await datedWhere(query.stale, transactions.movedAt);
    const { items, next_cursor } = listed(await transactions.page(filters));
    return { transactions: items, next_cursor, ...dated };
  }

  @Get(':id/events')
  @Roles('admin', 'ops', 'auditor')
  @Described('transactionEvents', "A transaction's whole history, with its hash chain")
  @ApiParam({ name: 'id', type: 'integer', description: 'transaction_id' })
  @ApiOkResponse({ type: EventsBody })
  @OperatorErrors(legacyErrors.invalidId(), legacyErrors.notFound())
  async events(@Param('id') id: string, @Query() query: EventsQuery): Promise<EventsBody> {
    const history = await historyOf(this.parts.log, transactionStream(idIn(id)), query);
    if (!history) throw legacyErrors.notFound();
    return history;
  }

  @Post(':id/settle')
  @HttpCode(200)
  @Described('settleTransaction', 'Complete what is confirmed and does not cover the price')
  @ApiParam({ name: 'id', type: 'integer', description: 'transaction_id' })
  @ApiOkResponse({ type: OperatorTransactionBody })
  @OperatorErrors(
    ...[legacyErrors.invalidId(), legacyErrors.notFound(), legacyErrors.notToSettle('Pending')],
    ...[legacyErrors.cryptoStandsOtherwise('0.1', 0.24), commandErrors.tooManyCalls(), readErrors.recordedNotShown()],
  )
  async settle(
    @Body() { note = null, confirmed_crypto }: SettleBody,
    @Param('id') id: string,
    @Actor() operator: Operator,
    @CheckDanger() checkDanger: DangerCheck,
  ): Promise<OperatorTransactionBody> {
    const transactionId = idIn(id);
    const { commands, log, transactions } = this.parts;
    const seen = confirmed_crypto ?? null;
    const stands = operator.session ? await toSettle(log, { transactionId, named: seen }) : null;
    // What is let through is this much: of what was there then a payer may take back a part.
    await checkDanger({ transaction: { confirmed_crypto: stands } });
    const named = seen ?? stands;
    settled(await commands.settle({ transactionId, note, named, actor: actorOf(operator) }));
    return shownOnceRecorded(transactions.page({ transactionId, limit: 1 }).then((read) => listed(read).items[0]));
  }

  @Delete(':id/email')
  @HttpCode(204)
  @Dangerous()
  @Described('eraseTransactionEmail', 'Erase the e-mail of whoever pays', 'The history stays: it never had it.')
  @ApiParam({ name: 'id', type: 'integer', description: 'transaction_id' })
  @ApiNoContentResponse({ description: 'It is gone, or was before' })
  @OperatorErrors(legacyErrors.invalidId(), legacyErrors.notFound())
  async erase(@Param('id') id: string, @Actor() operator: Operator): Promise<void> {
    const erased = await this.parts.commands.eraseEmail(idIn(id), actorOf(operator));
    if (erased === 'not_found') throw legacyErrors.notFound();
  }
}

/** What operators see of the older transactions and do about them. */
export const transactionRoutes = (parts: OperatorTransactionsParts): DynamicModule =>
  routesOf([OperatorTransactionsController], { [OPERATOR_TRANSACTIONS]: parts });
