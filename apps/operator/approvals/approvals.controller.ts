import { type DynamicModule, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { Actor, Dangerous, OperatorErrors, OperatorRoutes, operationsFor, Roles } from '#door/access';
import { authenticationErrors, sessionErrors } from '#door/errors';
import { readId, routesOf } from '#door/http';
import { pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { type Approval, type Approvals, type Operator, type OperatorRole, operatorRoles } from '#partners';
import { ApprovalBody, ApprovalsBody, ApprovalsQuery } from './approval-bodies.ts';

const APPROVALS = Symbol('approvals');

const ids = { invalidId: sessionErrors.invalidApprovalId, notFound: sessionErrors.approvalNotFound };

const Id = () => ApiParam({ name: 'id', type: 'integer', description: 'Id of the approval' });

const refusals = {
  not_found: sessionErrors.approvalNotFound,
  own: sessionErrors.ownApproval,
  over: sessionErrors.approvalOver,
  unentitled: authenticationErrors.insufficientPermissions,
} as const;

/** The token or person that is to be revoked. */
const isAbout = ({ id }: Operator, { about }: ApprovalBody): boolean =>
  'path' in about && new RegExp(`^/operator/tokens/0*${id}(?![0-9])`).test(String(about.path));

/** Whoever asked takes back his own. */
const checkRefuses = (operator: Operator, approval: ApprovalBody): void => {
  if (approval.token_id === operator.id) return;
  if (!approval.roles.includes(operator.role)) throw authenticationErrors.insufficientPermissions();
  if (isAbout(operator, approval)) throw sessionErrors.approvalAboutYou();
};

@OperatorRoutes('operator/approvals', 'Operator: console', 'admin', 'ops')
class ApprovalsController {
  @Inject(APPROVALS) private readonly approvals!: Approvals;
  @Inject(ModulesContainer) private readonly modules!: ModulesContainer;

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('listApprovals', 'What waits, or waited, for a second person (FOUR_EYES), newest first')
  @ApiOkResponse({ type: ApprovalsBody })
  async list(@Query() query: ApprovalsQuery): Promise<ApprovalsBody> {
    const { items, next_cursor } = await this.approvals.list({ ...pageIn(query), state: query.state });
    return { approvals: items.map((item) => this.#shown(item)), next_cursor };
  }

  @Get(':id')
  @Roles('admin', 'ops', 'auditor')
  @Described('getApproval', 'One of them')
  @Id()
  @ApiOkResponse({ type: ApprovalBody })
  @OperatorErrors(ids.invalidId(), ids.notFound())
  async get(@Param('id') text: string): Promise<ApprovalBody> {
    return this.#item(readId(text, ids));
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Dangerous('alone')
  @Described(
    'approve',
    'Let somebody else do what he asks for, once',
    'By whoever may do it himself, and never his own.',
  )
  @Id()
  @ApiOkResponse({ type: ApprovalBody })
  @OperatorErrors(ids.invalidId(), ...Object.values(refusals).map((error) => error()))
  async approve(@Actor() operator: Operator, @Param('id') text: string): Promise<ApprovalBody> {
    const id = readId(text, ids);
    if (!(await this.#item(id)).roles.includes(operator.role)) throw authenticationErrors.insufficientPermissions();
    return this.#decided(id, await this.approvals.approve(operator, id));
  }

  @Post(':id/refuse')
  @HttpCode(200)
  @Described(
    'refuseApproval',
    'Refuse it, or take back what one has asked for',
    'By whoever may let it through, also once somebody has, until it is done; never what is asked for about him.',
  )
  @Id()
  @ApiOkResponse({ type: ApprovalBody })
  @OperatorErrors(ids.invalidId(), ids.notFound(), sessionErrors.approvalOver(), sessionErrors.approvalAboutYou())
  async refuse(@Actor() operator: Operator, @Param('id') text: string): Promise<ApprovalBody> {
    const id = readId(text, ids);
    checkRefuses(operator, await this.#item(id));
    return this.#decided(id, await this.approvals.refuse(operator, id));
  }

  /** Of a release that did not say who may let it through, whoever may here: an admin may do more of some acts. */
  #shown(approval: Approval): ApprovalBody {
    const { operation, about } = approval;
    const isAdmins = 'role' in about && about.role === 'admin';
    const mayHere = (role: OperatorRole): boolean =>
      operationsFor(this.modules, role).includes(operation) && (role === 'admin' || !isAdmins);
    return { ...approval, roles: approval.roles ?? operatorRoles.filter(mayHere) };
  }

  #decided(id: number, outcome: Awaited<ReturnType<Approvals['approve']>>): Promise<ApprovalBody> {
    if (outcome !== 'decided') throw refusals[outcome]();
    return this.#item(id);
  }

  async #item(id: number): Promise<ApprovalBody> {
    const found = await this.approvals.item(id);
    if (!found) throw ids.notFound();
    return this.#shown(found);
  }
}

export const approvalRoutes = ({ approvals }: { readonly approvals: Approvals }): DynamicModule =>
  routesOf([ApprovalsController], { [APPROVALS]: approvals });
