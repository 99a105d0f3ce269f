import { Body, Delete, type DynamicModule, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam } from '@nestjs/swagger';
import type pg from 'pg';
import { Actor, OperatorErrors, OperatorRoutes, Roles } from '#door/access';
import { shown } from '#door/errors';
import { readId, routesOf } from '#door/http';
import { Described } from '#door/openapi';
import { actorOf, type Operator, recordChange } from '#partners';
import { inTransaction } from '#platform/postgres';
import { askRescan, type ChainReport, chainReports, type RescanReport, rescanReports, takeBackRescan } from '#watch';
import { tickerErrors, tickerIn } from '../market/tickers.ts';
import {
  type ChainBody,
  ChainsBody,
  NewRescanBody,
  RescanBody,
  RescanReportBody,
  RescansBody,
} from './chain-bodies.ts';

const chainErrors = {
  backwards: () => shown(400, 'from_height must not be above to_height', { code: 'rescan_backwards' }),
  unwatched: (currency: string) => shown(409, `The chain of ${currency} is not watched`, { code: 'chain_unwatched' }),
  invalidRescan: () => shown(400, 'Invalid rescan ID', { code: 'rescan_id_invalid' }),
  noSuchRescan: () => shown(404, 'Rescan not found', { code: 'rescan_not_found' }),
  rescanOver: () => shown(409, 'This rescan is over', { code: 'rescan_over' }),
} as const;

const CHAINS_POOL = Symbol('database of chains');

const bodyOf = ({ block_time, moved_at, held, nodes, ...chain }: ChainReport): ChainBody => ({
  ...chain,
  block_time: block_time?.toISOString() ?? null,
  moved_at: moved_at?.toISOString() ?? null,
  held: held && { ...held, since: held.since.toISOString() },
  nodes: nodes.map(({ head_at, asked_at, since, ...node }) => ({
    ...node,
    head_at: head_at?.toISOString() ?? null,
    asked_at: asked_at.toISOString(),
    since: since.toISOString(),
  })),
});

const rescanBodyOf = ({ asked_at, done_at, ...rescan }: RescanReport): RescanReportBody => ({
  ...rescan,
  asked_at: asked_at.toISOString(),
  done_at: done_at?.toISOString() ?? null,
});

@OperatorRoutes('operator/chains', 'Operator: chains')
class ChainsController {
  @Inject(CHAINS_POOL) private readonly pool!: pg.Pool;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listChains', 'How far each chain is followed, and how its nodes are')
  @ApiOkResponse({ type: ChainsBody })
  async list(): Promise<ChainsBody> {
    return { chains: (await chainReports(this.pool)).map(bodyOf) };
  }

  @Post(':ticker/rescan')
  @HttpCode(202)
  @Roles('admin', 'ops')
  @Described(
    'rescanChain',
    'Read blocks again that were applied, or that came before the first one',
    'Payments that are missing are told as if they had just been found; the watcher does it beside its work.',
  )
  @ApiParam({ name: 'ticker', type: String, description: 'In upper case' })
  @ApiAcceptedResponse({ type: RescanBody })
  @OperatorErrors(tickerErrors.unknown('DOGE'), chainErrors.backwards(), chainErrors.unwatched('BTC'))
  async rescan(
    @Param('ticker') word: string,
    @Body() { from_height: from, to_height: to }: NewRescanBody,
    @Actor() operator: Operator,
  ): Promise<RescanBody> {
    const currency = tickerIn(word);
    if (from > to) throw chainErrors.backwards();
    const watched = await chainReports(this.pool);
    if (!watched.some((chain) => chain.currency === currency && chain.height !== null))
      throw chainErrors.unwatched(currency);
    const id = await inTransaction(this.pool, async (db) => {
      const asked = await askRescan(db, { chain: currency, from, to });
      const what = { subject: 'chain', subjectId: currency, before: null, after: { rescan: asked, from, to } };
      await recordChange(db, { actor: actorOf(operator), action: 'changed', ...what });
      return asked;
    });
    return { id, currency };
  }

  @Get(':ticker/rescans')
  @Roles('admin', 'ops', 'auditor')
  @Described('listRescans', 'What was asked to be read again, and how far that is: all that is open, and the newest')
  @ApiParam({ name: 'ticker', type: String, description: 'In upper case' })
  @ApiOkResponse({ type: RescansBody })
  @OperatorErrors(tickerErrors.unknown('DOGE'))
  async rescans(@Param('ticker') word: string): Promise<RescansBody> {
    return { rescans: (await rescanReports(this.pool, tickerIn(word))).map(rescanBodyOf) };
  }

  @Delete(':ticker/rescans/:id')
  @HttpCode(202)
  @Roles('admin', 'ops')
  @Described('cancelRescan', 'Take a rescan back; what it found stays, and the next one begins')
  @ApiParam({ name: 'ticker', type: String, description: 'In upper case' })
  @ApiParam({ name: 'id', type: 'integer', description: 'Of the rescan' })
  @ApiAcceptedResponse({ type: RescanReportBody })
  @OperatorErrors(
    ...[tickerErrors.unknown('DOGE'), chainErrors.invalidRescan()],
    ...[chainErrors.noSuchRescan(), chainErrors.rescanOver()],
  )
  async cancelRescan(
    @Param('ticker') word: string,
    @Param('id') text: string,
    @Actor() operator: Operator,
  ): Promise<RescanReportBody> {
    const currency = tickerIn(word);
    const id = readId(text, { invalidId: chainErrors.invalidRescan, notFound: chainErrors.noSuchRescan });
    return inTransaction(this.pool, async (db) => {
      const taken = await takeBackRescan(db, currency, id);
      if (taken === 'unknown') throw chainErrors.noSuchRescan();
      if (taken === 'ended') throw chainErrors.rescanOver();
      const [before, after] = [
        { rescan: id, state: 'open' },
        { rescan: id, state: taken.state },
      ];
      await recordChange(db, {
        ...{ actor: actorOf(operator), action: 'changed', subject: 'chain', subjectId: currency, before, after },
      });
      return rescanBodyOf(taken);
    });
  }
}

/** What operators see of the chains, and what they can have read again. */
export const chainRoutes = (pool: pg.Pool): DynamicModule => routesOf([ChainsController], { [CHAINS_POOL]: pool });
