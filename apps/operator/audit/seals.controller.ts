import { Readable } from 'node:stream';
import { Get, Inject, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiParam } from '@nestjs/swagger';
import { type Head, keptHeads, listSeals, proveEvent, publicKeyOf, type Seal, sealNumbered } from '#audit';
import { OperatorErrors, OperatorRoutes } from '#door/access';
import { readId } from '#door/http';
import { PageQuery, pageIn } from '#door/lists';
import { Described } from '#door/openapi';
import { PublicKeyBody, SealBody, SealsBody } from './audit-bodies.ts';
import { auditErrors } from './audit-errors.ts';
import { AUDIT, type AuditParts } from './parts.ts';
import { ProofBody, ProofQuery } from './proof-bodies.ts';

const FILE = {
  'application/x-ndjson': {
    schema: { type: 'string' },
    example: '{"stream":"deposit-1021","revision":6,"hash":"9f86d081"}\n',
  },
};

const SealErrors = () => OperatorErrors(auditErrors.invalidSeal(), auditErrors.noSuchSeal());

async function* lines(seal: Seal, heads: AsyncIterable<Head>): AsyncGenerator<string> {
  yield `${JSON.stringify(seal)}\n`;
  for await (const head of heads) yield `${JSON.stringify(head)}\n`;
}

@OperatorRoutes('operator/audit', 'Operator: audit', 'admin', 'ops', 'auditor')
export class SealsController {
  @Inject(AUDIT) private readonly parts!: AuditParts;

  @Get('seals')
  @Described('listSeals', 'Every seal of history, newest first')
  @ApiOkResponse({ type: SealsBody })
  async list(@Query() query: PageQuery): Promise<SealsBody> {
    const { items, next_cursor } = await listSeals(this.parts.pool, pageIn(query));
    return { seals: items, next_cursor };
  }

  @Get('seals/:number')
  @Described('getSeal', 'One seal', 'What it takes to say whether history is still what it was; keep it elsewhere.')
  @ApiParam({ name: 'number', type: 'integer', description: 'Of the seal' })
  @ApiOkResponse({ type: SealBody })
  @SealErrors()
  async get(@Param('number') text: string): Promise<SealBody> {
    return this.#seal(text);
  }

  @Get('seals/:number/file')
  @Described(
    'exportSeal',
    'A seal with the end of every history under it, a line each',
    'What it takes to say of each history by its name whether it is still what it was; keep it elsewhere.',
  )
  @ApiParam({ name: 'number', type: 'integer', description: 'Of the seal' })
  @ApiOkResponse({ content: FILE })
  @SealErrors()
  async file(@Param('number') text: string): Promise<StreamableFile> {
    const seal = await this.#seal(text);
    const file = Readable.from(lines(seal, keptHeads(this.parts.pool, seal.number)));
    return new StreamableFile(file, { type: 'application/x-ndjson' });
  }

  @Get('public-key')
  @Described('getSealKey', 'The public half of the key that signs seals')
  @ApiOkResponse({ type: PublicKeyBody })
  @OperatorErrors(auditErrors.noKey())
  async publicKey(): Promise<PublicKeyBody> {
    const key = await publicKeyOf(this.parts.pool);
    if (key === undefined) throw auditErrors.noKey();
    return { algorithm: 'Ed25519', public_key: key };
  }

  @Get('proof')
  @Described(
    'proveEvent',
    'That one event lies under a seal',
    'Whoever has the public key can verify it, without asking anybody.',
  )
  @ApiOkResponse({ type: ProofBody })
  @OperatorErrors(auditErrors.noSuchEvent(), auditErrors.notSealedYet(), auditErrors.notAsSealed())
  async proof(@Query() { deposit_id, revision }: ProofQuery): Promise<ProofBody> {
    const { log, pool } = this.parts;
    const proven = await proveEvent({ log, db: pool }, Number(deposit_id), Number(revision));
    if (proven.outcome === 'proven') return proven.proof;
    if (proven.outcome === 'not_as_sealed') throw auditErrors.notAsSealed();
    throw proven.outcome === 'no_such_event' ? auditErrors.noSuchEvent() : auditErrors.notSealedYet();
  }

  async #seal(text: string): Promise<Seal> {
    const number = readId(text, { invalidId: auditErrors.invalidSeal, notFound: auditErrors.noSuchSeal });
    const seal = await sealNumbered(this.parts.pool, number);
    if (!seal) throw auditErrors.noSuchSeal();
    return seal;
  }
}
