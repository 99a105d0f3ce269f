import { type DynamicModule, Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type pg from 'pg';
import { OperatorRoutes } from '#door/access';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import { readInbox } from '#inbox';
import { InboxBody } from './inbox-body.ts';

const INBOX_POOL = Symbol('database of the inbox');

@OperatorRoutes('operator/inbox', 'Operator: console', 'admin', 'ops', 'auditor')
class InboxController {
  @Inject(INBOX_POOL) private readonly pool!: pg.Pool;

  @Get()
  @Described('readInbox', 'What waits for a human, of every kind', 'It answers also while read models stand still.')
  @ApiOkResponse({ type: InboxBody })
  async read(): Promise<InboxBody> {
    const as_of = new Date().toISOString();
    const waiting = await readInbox(this.pool);
    return {
      as_of,
      waiting: waiting.map(({ oldestAt, list, ...same }) => ({ ...same, oldest_at: oldestAt, href: list })),
    };
  }
}

export const inboxRoutes = (pool: pg.Pool): DynamicModule => routesOf([InboxController], { [INBOX_POOL]: pool });
