import type { Ground } from '#ground';
import { hourly } from '#platform/repeat';

/** Whoever changed what operators did is told of, as changed history is: in the log, and by readiness. */
export const watchAuditTrail = ({
  partners,
  health,
  logger,
  lifecycle,
}: Pick<Ground, 'partners' | 'health' | 'logger' | 'lifecycle'>): void => {
  const look = async (): Promise<void> => {
    for (const { id, problem } of await partners.accounts.auditTrailBreaks()) {
      if (!health.alarm(`audit trail, entry ${id}: ${problem}`)) continue;
      logger.fatal({ alert: 'broken_audit_trail', entry: id, problem }, 'the audit trail is not as it was written');
    }
  };
  const looking = hourly(look, logger, 'the audit trail could not be looked through now');
  lifecycle.onStop('stop-consumers', 'the watch over the audit trail', looking.stop);
};
