import type { Kind } from './kind.ts';
import { paymentKinds } from './payment-kinds.ts';

/** Every kind of thing that somebody has to look at, the most pressing first. */
export const inboxKinds = {
  projection_stopped: {
    severity: 'critical',
    rows: `SELECT updated_at AS at FROM projection_checkpoints WHERE state = 'stopped'
      UNION ALL SELECT updated_at FROM projection_rebuilds WHERE state = 'failed'`,
    list: '/operator/projections',
  },
  relay_stopped: {
    severity: 'critical',
    rows: 'SELECT stopped_at AS at FROM webhook_relay WHERE stopped_because IS NOT NULL',
    list: '/operator/webhook-deliveries',
  },
  numbers_shared: {
    severity: 'critical',
    // Whoever raises numbers by hand has ended the other first.
    rows: `SELECT shared_at AS at FROM numbers_given_in WHERE shared_at > now() - interval '7 days'
      AND coalesce(asked_at < shared_at, true)`,
    list: '/operator/audit-trail',
  },
  history_damaged: {
    severity: 'critical',
    rows: 'SELECT found_at AS at FROM projection_damage',
    list: '/operator/projections',
  },
  history_differs: {
    severity: 'critical',
    // What was met is there until all of history was found to be right, with no row that nothing could be said of. A
    // seal takes what it meets as it is now, so that nothing finds it afterwards: it is told of for a week.
    rows: `(SELECT ended_at AS at FROM audit_jobs AS met WHERE kind = 'verify' AND state = 'done' AND findings <> '[]'
        AND NOT EXISTS (SELECT FROM audit_jobs AS whole WHERE kind = 'verify' AND state = 'done' AND findings = '[]'
          AND NOT asked ?| '{from,to,deposit_id}'::text[] AND coalesce(result ->> 'behind', '0') = '0'
          AND whole.id > met.id)
        ORDER BY id DESC LIMIT 1)
      UNION ALL SELECT sealed_at FROM audit_seals
        WHERE seal ~ '"breaks":[1-9]' AND sealed_at > now() - interval '7 days'`,
    list: '/operator/projections',
  },
  chain_held: {
    severity: 'critical',
    rows: 'SELECT held_since AS at FROM chain_tips WHERE held_because IS NOT NULL',
    list: '/operator/chains',
  },
  signal_failing: {
    severity: 'critical',
    rows: 'SELECT since AS at FROM engine_signals_failing ORDER BY id',
    list: '/operator/signals?failing=true',
  },
  chain_unwatched: {
    severity: 'critical',
    // Deposits in it are paid and nobody sees it, also where it never had a node. A coin that is switched off takes none.
    rows: `SELECT max(asked_at) AS at FROM (SELECT chain, asked_at FROM chain_nodes
        UNION ALL SELECT unnest('{BTC,LTC,ETH}'::text[]), NULL) AS taken
      WHERE EXISTS (SELECT FROM installation_engine WHERE engine = 'live')
        AND chain NOT IN (SELECT ticker FROM currency_switches WHERE NOT enabled)
      GROUP BY chain HAVING coalesce(max(asked_at) < now() - interval '60 seconds', true)`,
    list: '/operator/chains',
  },
  return_held: {
    severity: 'critical',
    rows: `SELECT queued_at AS at FROM returns WHERE state = 'held' ORDER BY queued_at`,
    list: '/operator/returns?state=held',
  },
  return_unfunded: {
    severity: 'critical',
    rows: `SELECT queued_at AS at FROM returns WHERE unfunded_because IS NOT NULL AND state <> 'broadcast'
      ORDER BY queued_at`,
    list: '/operator/returns?unfunded=true',
  },
  return_lost: {
    severity: 'critical',
    // What was sent was not the player's any more: nothing brings it back by itself.
    rows: `SELECT queued_at AS at FROM returns WHERE unfunded_because IS NOT NULL AND state = 'broadcast'
      ORDER BY queued_at`,
    list: '/operator/returns?unfunded=true&state=broadcast',
  },
  lost_after_accept: {
    severity: 'critical',
    rows: `SELECT decision_at AS at, id FROM deposits WHERE decision = 'accepted' AND NOT test
      AND settlement_withheld IN ('ofac_hit', 'kyt_failed', 'double_spent', 'dropped', 'reorged') ORDER BY decision_at`,
    list: '/operator/deposits?waiting=lost_after_accept',
  },
  ofac_hit: {
    severity: 'critical',
    rows: `SELECT created_at AS at, id FROM deposits WHERE ofac_status = 'hit' AND decision = 'frozen'
      AND created_at > now() - interval '30 days' ORDER BY created_at`,
    list: '/operator/deposits?waiting=ofac_hit',
  },
  payment_without_place: {
    severity: 'critical',
    rows: `SELECT taken_at AS at FROM engine_signals
      WHERE set_aside = 'ignored' AND detail LIKE '%: operators have to look at this one'
        AND taken_at > now() - interval '7 days' ORDER BY nr DESC`,
    list: '/operator/signals?without_place=true&days=7',
  },
  address_missing: {
    severity: 'critical',
    rows: 'SELECT created_at AS at, id FROM deposits WHERE wallet IS NULL AND expires_at > now()',
    list: '/operator/deposits?waiting=address_missing',
  },
  rate_unavailable: {
    severity: 'critical',
    rows: 'SELECT pinned_at AS at FROM rate_pins WHERE usd IS NULL',
    list: '/operator/rates',
  },
  service_off: {
    severity: 'critical',
    rows: `SELECT NULL::timestamptz AS at FROM kyc_service WHERE NOT available
      UNION ALL SELECT NULL FROM address_pools WHERE NOT available
      UNION ALL SELECT changed_at FROM currency_switches WHERE NOT enabled
        AND (ticker IN (SELECT chain FROM chain_nodes)
          OR NOT EXISTS (SELECT FROM installation_engine WHERE engine = 'live'))`,
    list: '/operator/currencies',
  },
  approval: {
    severity: 'warning',
    rows: `SELECT asked_at AS at FROM approvals WHERE state = 'asked' AND expires_at > now() ORDER BY asked_at`,
    list: '/operator/approvals?state=asked',
  },
  kyt_review: {
    severity: 'warning',
    // An accept may come before KYT: whether what is credited by then stays so is decided by the review alone.
    rows: `SELECT created_at AS at, id FROM deposits WHERE kyt_status = 'review' AND decision IN ('pending', 'accepted')
      ORDER BY created_at`,
    list: '/operator/deposits?waiting=kyt_review',
  },
  delivery_dead: {
    severity: 'warning',
    rows: `SELECT created_at AS at FROM webhooks_undelivered JOIN webhook_deliveries ON id = delivery_id
      WHERE due_at IS NULL ORDER BY delivery_id`,
    list: '/operator/webhook-deliveries?status=dead',
  },
  endpoint_down: {
    severity: 'warning',
    rows: `SELECT failing_since AS at FROM webhook_endpoints e WHERE failing_since IS NOT NULL
      AND EXISTS (SELECT FROM webhooks_undelivered u WHERE u.endpoint = e.endpoint AND u.due_at IS NOT NULL)`,
    list: '/operator/webhook-deliveries?status=pending',
  },
  node_sick: {
    severity: 'warning',
    rows: `SELECT since AS at FROM chain_nodes WHERE state <> 'ok'`,
    list: '/operator/chains',
  },
  seal_overdue: {
    severity: 'warning',
    // Where none was ever made it is due since the installation was begun; one of a time to come was made by a wrong clock.
    rows: `SELECT at FROM (SELECT coalesce((SELECT sealed_at FROM audit_seals ORDER BY number DESC LIMIT 1),
        (SELECT at FROM audit_trail ORDER BY id LIMIT 1)) AS at) AS newest
      WHERE $1::int > 0 AND (at < now() - make_interval(secs => 2 * $1::int) OR at > now() + interval '5 minutes')`,
    list: '/operator/audit-trail',
  },
  verify_failed: {
    severity: 'warning',
    // What it would have looked at nobody has looked at since.
    rows: `SELECT ended_at AS at FROM audit_jobs AS failed WHERE kind = 'verify' AND state = 'failed'
      AND ended_at > now() - interval '7 days'
      AND NOT EXISTS (SELECT FROM audit_jobs AS made WHERE kind = 'verify' AND state = 'done' AND made.id > failed.id
        AND made.asked IN (failed.asked, '{}'::jsonb))`,
    list: '/operator/projections',
  },
  numbers_raised: {
    severity: 'warning',
    rows: `SELECT raised_at AS at FROM numbers_given_in WHERE raised_at > now() - interval '7 days'`,
    list: '/operator/audit-trail',
  },
  signal_rejected: {
    severity: 'warning',
    rows: `SELECT taken_at AS at FROM engine_signals WHERE set_aside = 'rejected'
      AND taken_at > now() - interval '7 days' ORDER BY nr DESC`,
    list: '/operator/signals?outcome=rejected&days=7',
  },
  pool_low: {
    severity: 'warning',
    rows: `SELECT NULL::timestamptz AS at FROM address_pools p WHERE added > 0
      AND NOT EXISTS (SELECT FROM derivation_keys k WHERE k.currency = p.currency AND active)
      AND (SELECT count(*) FROM (SELECT FROM pool_addresses a WHERE a.currency = p.currency AND a.taken_at IS NULL
        AND NOT retired LIMIT 20) free) < 20`,
    list: '/operator/currencies',
  },
  rate_pinned_long: {
    severity: 'warning',
    rows: `SELECT pinned_at AS at FROM rate_pins WHERE usd IS NOT NULL AND pinned_at < now() - interval '24 hours'`,
    list: '/operator/rates',
  },
  ...paymentKinds,
  kyc_pending: {
    severity: 'notice',
    rows: `SELECT changed_at AS at FROM kyc_players WHERE state = 'pending' AND verified_from IS NULL ORDER BY changed_at`,
    list: '/operator/players?kyc=pending',
  },
  settlement_waiting: {
    severity: 'notice',
    rows: `SELECT decision_at AS at, id FROM deposits WHERE decision = 'accepted' AND NOT test
      AND settlement_batch_id IS NULL AND coalesce(settlement_withheld, 'released') = 'released'
      AND decision_at < now() - interval '24 hours' ORDER BY decision_at`,
    list: '/operator/deposits?waiting=settlement_waiting',
  },
  credential_expiring: {
    severity: 'notice',
    rows: `SELECT expires_at AS at FROM api_keys WHERE status = 'active'
        AND expires_at BETWEEN now() AND now() + interval '7 days'
      UNION ALL SELECT expires_at FROM operator_tokens WHERE status = 'active'
        AND expires_at BETWEEN now() AND now() + interval '7 days'`,
    list: '/operator/api-keys',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof inboxKinds;
