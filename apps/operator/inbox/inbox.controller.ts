import { type DynamicModule, Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type pg from 'pg';
import { OperatorRoutes } from '#door/access';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import { readInbox } from '#inbox';
import { caughtUp, type ReadModel } from '../http/caught-up.ts';
import { InboxBody } from './inbox-body.ts';

const INBOX = Symbol('what the inbox is counted from');

type InboxParts = {
  readonly pool: pg.Pool;
  readonly sealEverySeconds: number;
  readonly readModels: readonly ReadModel[];
};

@OperatorRoutes('operator/inbox', 'Operator: console', 'admin', 'ops', 'auditor')
class InboxController {
  @Inject(INBOX) private readonly parts!: InboxParts;

  @Get()
  @Described('readInbox', 'What waits for a human, of every kind', 'It answers also while read models stand still.')
  @ApiOkResponse({ type: InboxBody })
  async read(): Promise<InboxBody> {
    await caughtUp(this.parts.readModels);
    const as_of = new Date().toISOString();
    const waiting = await readInbox(this.parts.pool, this.parts);
    return {
      as_of,
      waiting: waiting.map(({ oldestAt, list, ...same }) => ({ ...same, oldest_at: oldestAt, href: list })),
    };
  }
}

export const inboxRoutes = (parts: InboxParts): DynamicModule => routesOf([InboxController], { [INBOX]: parts });
