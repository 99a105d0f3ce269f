import { Readable } from 'node:stream';
import { Body, HttpCode, Inject, Post, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { asText, type ExportFormat, toldDecisions } from '#audit';
import { Actor, OperatorRoutes } from '#door/access';
import { SentFlag, SentId, SentTime, SentWord } from '#door/fields';
import { Described } from '#door/openapi';
import { actorOf, type Operator, recordChange } from '#partners';
import { AUDIT, type AuditParts } from './parts.ts';

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
};

const FILES = {
  'text/csv': { schema: { type: 'string' }, example: 'deposit_id,entity_id,decision\r\n' },
  'application/x-ndjson': { schema: { type: 'string' }, example: '{"deposit_id":1021}\n' },
};

export class ExportBody {
  @SentWord(['csv', 'ndjson'], 'A line for each decision', 'csv')
  format!: ExportFormat;

  @SentId.optional('One casino alone', 41)
  entity_id?: number;

  @SentTime.optional('Recorded then or later', '2026-01-01T00:00:00Z')
  from?: string;

  @SentTime.optional('Recorded then or earlier', '2026-02-01T00:00:00Z')
  to?: string;

  @SentFlag.byDefault(false, 'true: NDJSON ends with a line that says how many there were (`{"end":{"lines":2}}`)')
  with_end!: boolean;
}

const timeIn = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

@OperatorRoutes('operator/audit', 'Operator: audit', 'admin', 'ops', 'auditor')
export class ExportController {
  @Inject(AUDIT) private readonly parts!: AuditParts;

  @Post('export')
  @HttpCode(200)
  @Described(
    'exportDecisions',
    'Every decision with its money, who made it and when, as one file',
    'Streamed from history itself, as fast as it is read. What keeps decisions of a deposit from being told is a line in ' +
      'their place: in NDJSON a finding (`by`, `stream`, `revision`, `problem`), in CSV the `decision` `unknown` with the ' +
      'problem as its `event`. Who asked for it is recorded.',
  )
  @ApiOkResponse({ content: FILES })
  async export(
    @Body() { format, entity_id, from, to, with_end }: ExportBody,
    @Actor() operator: Operator,
  ): Promise<StreamableFile> {
    const { log, pool, refused } = this.parts;
    const after = { format, entity_id, from, to };
    const change = { action: 'created', subject: 'audit_export', subjectId: entity_id ?? 'all', before: null } as const;
    await recordChange(pool, { actor: actorOf(operator), ...change, after });
    const asked = { casino: entity_id, from: timeIn(from), to: timeIn(to) };
    const file = Readable.from(asText(toldDecisions({ log, pool, refused, ...asked }), format, with_end), {
      highWaterMark: 1,
    });
    return new StreamableFile(file, { type: TYPES[format], disposition: `attachment; filename="decisions.${format}"` });
  }
}
