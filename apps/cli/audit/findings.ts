import type { Finding, Proof } from '#audit';
import type { Call } from '../command.ts';
import { type ExitCode, exit, refused } from '../parts/exit.ts';

export type Verification = {
  readonly events: number;
  readonly streams: number;
  readonly rows: number;
  readonly findings: readonly Finding[];
  readonly behind: number;
  /** The event that a proof holds for. */
  readonly proven?: Proven | undefined;
};

export type Proven = Pick<Proof['events'][number], 'stream' | 'revision' | 'type'> & {
  readonly seal: number;
  readonly sealed_at: string;
};

const places = ['stream', 'revision', 'table', 'key', 'field'] as const;

export const lineOf = (finding: Finding): string => {
  const place = places
    .filter((name) => finding[name] !== undefined)
    .map((name) => `${name} ${typeof finding[name] === 'object' ? JSON.stringify(finding[name]) : finding[name]}`)
    .join(', ');
  const values =
    finding.field === undefined
      ? ''
      : ` (found ${JSON.stringify(finding.found)}, expected ${JSON.stringify(finding.expected)})`;
  return `${finding.by}: ${place === '' ? '' : `${place}: `}${finding.problem}${values}`;
};

const provenLine = ({ stream, revision, type, seal, sealed_at }: Proven): string =>
  `proven: stream ${stream}, revision ${revision}, ${type}: it was there when seal ${seal} was made, at ${sealed_at}`;

/** Each finding by its name, and 1 when there is any; of one deposit alone, whose id that is. */
export const showVerification = ({ out }: Call, verified: Verification, deposit?: number): ExitCode => {
  const { events, streams, rows, findings, behind, proven } = verified;
  // Nothing was looked at, and nothing misses it: that proves nothing.
  if (deposit !== undefined && events + findings.length === 0) throw refused(`there is no deposit ${deposit}`);
  out.answer(verified, () => {
    for (const each of findings) out.line(lineOf(each));
    if (proven) out.line(provenLine(proven));
    out.note(`${events} events in ${streams} histories, ${rows} rows: ${findings.length} findings`);
    if (behind > 0)
      out.note(
        `${behind} could not be compared, histories or the totals: no projection has taken their newest events yet`,
      );
  });
  return findings.length > 0 ? exit.finding : exit.done;
};
