import { Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { depositThen, type Moment } from '#audit';
import { depositStream } from '#deposit-commands';
import { OperatorRoutes } from '#door/access';
import { DepositBody, depositIdOf } from '#door/deposits';
import { schemaMismatch, scopeErrors } from '#door/errors';
import { SentDigits, Text } from '#door/fields';
import { Described } from '#door/openapi';
import { Optional } from '#door/rules';
import { BrokenHistory } from '#event-log';
import { EventsBody } from '../history/event-body.ts';
import { EventsQuery, historyOf } from '../history/history.ts';
import { historyDamaged, noSuchRevision } from './answers.ts';
import { OPERATOR_DEPOSITS, type OperatorDepositsParts } from './parts.ts';
import { DepositErrors, MomentErrors } from './route-errors.ts';
import { IsInstantText, instantOf } from './rules.ts';

class MomentQuery {
  @Text.optional('As it was read at this time', '2026-01-31T14:05:00Z')
  @Optional()
  @IsInstantText()
  at?: string;

  @SentDigits.optional('As it was read when its history ended with this revision', '4')
  revision?: string;
}

/** Undefined: as it is now. */
const momentIn = ({ at, revision }: MomentQuery): Moment | undefined => {
  const instant = instantOf(at);
  if (instant !== undefined && revision !== undefined)
    throw schemaMismatch([{ path: ['revision'], message: 'cannot be sent together with at' }]);
  if (instant !== undefined) return { at: instant };
  return revision === undefined ? undefined : { revision: Number(revision) };
};

@OperatorRoutes('operator/deposits', 'Operator: deposits', 'admin', 'ops', 'auditor')
export class DepositHistoryController {
  @Inject(OPERATOR_DEPOSITS) private readonly parts!: OperatorDepositsParts;

  @Get(':id')
  @Described(
    'getDeposit',
    'A deposit as its partner reads it, or would have read it then',
    'With `at` or `revision` its history is folded up to there, and proven while it is read.',
  )
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: DepositBody })
  @MomentErrors()
  async get(@Param('id') text: string, @Query() query: MomentQuery): Promise<DepositBody> {
    const [id, moment] = [depositIdOf(text), momentIn(query)];
    return (moment === undefined ? this.#now(id) : this.#then(id, moment)).catch((error: unknown) => {
      throw error instanceof BrokenHistory ? historyDamaged(error.message) : error;
    });
  }

  async #then(id: number, moment: Moment): Promise<DepositBody> {
    const then = await depositThen(this.parts.log, id, moment);
    if (then.outcome === 'no_such_revision') throw noSuchRevision(then.last);
    if (then.outcome === 'not_yet') throw scopeErrors.depositNotFound();
    return then.deposit;
  }

  @Get(':id/events')
  @Described(
    'depositEvents',
    "A deposit's history, with its hash chain",
    'With `raw=true` all that is hashed is shown as it was hashed: docs/how-to/verify-a-stream.md recomputes it.',
  )
  @ApiParam({ name: 'id', type: 'integer', description: 'deposit_id' })
  @ApiOkResponse({ type: EventsBody })
  @DepositErrors()
  async events(@Param('id') id: string, @Query() query: EventsQuery): Promise<EventsBody> {
    const history = await historyOf(this.parts.log, depositStream(depositIdOf(id)), query);
    if (!history) throw scopeErrors.depositNotFound();
    return history;
  }

  async #now(id: number): Promise<DepositBody> {
    const known = await this.parts.reads.byId(id);
    if (!known) throw scopeErrors.depositNotFound();
    return JSON.parse(known.text) as DepositBody;
  }
}
