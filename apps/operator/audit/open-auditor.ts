import { type Auditor, type Finding, type Refused, startAuditor } from '#audit';
import { type Ground, projections } from '#ground';

const placeOf = ({ stream, revision, table, key }: Finding): string =>
  [
    stream && `stream ${stream}`,
    revision !== undefined && `revision ${revision}`,
    table && `table ${table} ${JSON.stringify(key)}`,
  ]
    .filter(Boolean)
    .join(', ');

/** The auditor of this process; whatever the sealing of history meets is told as changed history is. */
export const openAuditor = (ground: Ground, refused: Refused): Auditor => {
  const { configuration, health, lifecycle, log, logger, pool, secrets } = ground;
  const met = new Set<string>();
  const auditor = startAuditor({
    ...{ log, pool, secrets, projections, refused, logger },
    sealEverySeconds: configuration.sealEverySeconds,
    onFinding: (finding) => {
      const told = `${placeOf(finding)}: ${finding.problem}`;
      if (met.has(told)) return;
      met.add(told);
      health.alarm(told);
      // What is called `key` is hidden in the log.
      const { key: row, ...place } = finding;
      logger.fatal(
        { alert: 'broken_history', finding: { ...place, row } },
        'history is not as it was written, or as it was sealed',
      );
    },
  });
  lifecycle.onStop('stop-consumers', 'the auditor', auditor.stop);
  return auditor;
};
